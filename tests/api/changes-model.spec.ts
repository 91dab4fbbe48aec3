import fc from "fast-check";
import type { Pool } from "pg";
import type { Change } from "@/lib/resources/changes/contract";
import { type Kind, type KindName, kinds } from "@/lib/resources/kinds";
import { changesOf, feed } from "../support/changes";
import { openEventStream } from "../support/event-stream";
import { expect, test } from "../support/fixtures";
import { type Api, jsonOf } from "../support/http";
import type { Run } from "../support/schedules";
import { pause } from "../support/servers";

/**
 * Random histories of several writers at once, while readers follow the feed: by pages, by waiting and
 * as a stream. Each reader must have seen exactly what was written, in one order, and the feed must lead to
 * what the database has.
 */
test("After any history, every reader has each change once, in the same order, and no foreign one, and they lead to what is stored", async ({
  api,
  baseUrl,
  db,
  organization,
  key,
  otherOrganization,
}) => {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`FUZZ_SEED=${seed}`);
  const history = fc.array(fc.array(step(), { minLength: 10, maxLength: 20 }), {
    minLength: 4,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(history, async (writers) => {
      const { next_cursor: start } = await feed(api, key, { after: "latest" });
      const followers = [0, 3].map((wait) => follow(api, key, { start, wait }));
      const stream = await openEventStream(baseUrl, `/api/changes/stream?after=${start}`, {
        authorization: `Bearer ${key}`,
      });
      const world = {
        api,
        db,
        organizationId: organization.id,
        keys: [key, otherOrganization.key],
      };
      const written = (await Promise.all(writers.map((steps) => write(world, steps)))).flat();
      const followed = await Promise.all(followers.map((one) => one.end(written.length)));
      await expect.poll(() => stream.messages.length).toBeGreaterThanOrEqual(written.length);
      stream.close();
      const streamed: Change[] = stream.messages.map(({ data }) => JSON.parse(data));
      for (const seen of [...followed, streamed]) {
        expect(seen.map(textOf).sort()).toEqual(written.sort());
        expect(seen.map(({ id }) => id)).toEqual(seen.map(({ id }) => id).toSorted());
        expect(seen).toEqual(streamed);
      }
      expect(liveIn(await changesOf(api, key))).toEqual(await storedIn(db, organization.id));
    }),
    { seed, numRuns: 2, endOnFailure: true },
  );
});

interface Step {
  do: "create" | "update" | "delete" | "complete" | "run" | "claim" | "foreign" | "slow" | "undone";
  kind: Kind;
  ms: number;
}

function step(): fc.Arbitrary<Step> {
  return fc.record({
    do: fc.constantFrom(
      ...(["create", "create", "create", "update", "delete", "complete", "run"] as const),
      ...(["claim", "foreign", "slow", "undone"] as const),
    ),
    kind: fc.constantFrom(...kinds),
    ms: fc.integer({ min: 0, max: 40 }),
  });
}

interface World {
  api: Api;
  db: Pool;
  organizationId: string;
  /** The organization's and a foreign one. */
  keys: string[];
}

interface Made {
  kind: KindName;
  id: string;
}

/** Takes the steps and returns the changes that they made. */
async function write({ api, db, organizationId, keys }: World, steps: Step[]): Promise<string[]> {
  const [key, foreign] = keys;
  const written: string[] = [];
  const made: Made[] = [];
  const call = async (method: string, path: string, options: object = { key }) =>
    (await api(method, path, options)).status < 300;
  const create = async ({ name, first }: Kind, options: object) =>
    (await api("POST", `/api/${name}`, { ...options, body: first.body })).body;
  const pathOf = ({ kind, id }: Made) => `/api/${kind}/${id}`;
  const perform: Record<Step["do"], (step: Step) => Promise<void>> = {
    async create({ kind }) {
      const { id } = await create(kind, { key });
      made.push({ kind: kind.name, id });
      written.push(`${kind.name} created ${id}`);
    },
    async update() {
      const one = made.at(-1);
      const body = one?.kind === "messages" ? { method: "PUT" } : { name: "B" };
      if (one && (await call("PATCH", pathOf(one), { key, body })))
        written.push(`${one.kind} updated ${one.id}`);
    },
    async delete() {
      const one = made.pop();
      if (one && (await call("DELETE", pathOf(one)))) written.push(`${one.kind} deleted ${one.id}`);
    },
    async complete() {
      const task = made.findLast(({ kind }) => kind === "tasks");
      // A second time changes nothing.
      const isNew = task && !written.includes(`tasks completed ${task.id}`);
      if (isNew && (await call("POST", `${pathOf(task)}/complete`)))
        written.push(`tasks completed ${task.id}`);
    },
    async run() {
      const schedule = made.findLast(({ kind }) => kind === "schedules");
      if (!schedule) return;
      const run = jsonOf<Run>(await api("POST", `${pathOf(schedule)}/run`, { key }));
      written.push(`tasks created ${run.resource_id}`);
    },
    async claim({ kind }) {
      const { id, claim_token } = await create(kind, {});
      if (await call("POST", `/api/claim/${id}`, { key, body: { claim_token } }))
        written.push(`${kind.name} claimed ${id}`);
    },
    async foreign({ kind }) {
      await create(kind, { key: foreign });
    },
    slow: (step) => transact(step, "COMMIT"),
    undone: (step) => transact(step, "ROLLBACK"),
  };
  /** A transaction that goes on for a while. */
  async function transact({ ms }: Step, end: "COMMIT" | "ROLLBACK") {
    const client = await db.connect();
    const id = `tsk_${Math.random()}`;
    await client.query("BEGIN");
    await client.query(
      `WITH created AS (INSERT INTO tasks (id, organization_id, name) VALUES ($1, $2, 'A task'))
       INSERT INTO changes (organization_id, kind, action, resource_id)
       VALUES ($2, 'tasks', 'created', $1)`,
      [id, organizationId],
    );
    await pause(ms);
    await client.query(end);
    client.release();
    if (end === "COMMIT") written.push(`tasks created ${id}`);
  }
  for (const one of steps) await perform[one.do](one);
  return written;
}

/** The IDs of the resources that there are after all of these changes. */
function liveIn(changes: Change[]): string[] {
  const live = new Set<string>();
  for (const { action, resource_id } of changes) {
    if (action === "created" || action === "claimed") live.add(resource_id);
    if (action === "deleted") live.delete(resource_id);
  }
  return [...live].sort();
}

/** The IDs of what the organization owns. */
async function storedIn(db: Pool, organizationId: string): Promise<string[]> {
  const owned = kinds.map(({ table }) => `SELECT id FROM ${table} WHERE organization_id = $1`);
  const { rows } = await db.query<{ id: string }>(owned.join(" UNION ALL "), [organizationId]);
  return rows.map(({ id }) => id).sort();
}

/** Follows the feed by pages until it has seen so many changes and a page without any. */
function follow(api: Api, key: string, { start, wait }: { start: string; wait: number }) {
  let total: number | undefined;
  const read = async () => {
    const seen: Change[] = [];
    for (let after = start; ; ) {
      const limit = `${1 + (seen.length % 7)}`;
      const page = await feed(api, key, { after, limit, wait: `${wait}` });
      seen.push(...page.data);
      after = page.next_cursor;
      if (total !== undefined && seen.length >= total && page.data.length === 0) return seen;
    }
  };
  const seen = read();
  return {
    end(changes: number) {
      total = changes;
      return seen;
    },
  };
}

function textOf({ kind, action, resource_id }: Change): string {
  return `${kind} ${action} ${resource_id}`;
}
