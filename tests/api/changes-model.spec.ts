import fc from "fast-check";
import type { Pool } from "pg";
import type { Change } from "@/lib/changes/contract";
import { feed } from "../support/changes";
import { openEventStream } from "../support/event-stream";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { pause } from "../support/servers";

/**
 * Random histories of several writers at once, while readers follow the feed: by pages, by waiting and
 * as a stream. Each reader must have seen exactly what was written, in one order.
 */
test("After any history, every reader has each change once, in the same order, and no foreign one", async ({
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
    }),
    { seed, numRuns: 4, endOnFailure: true },
  );
});

interface Step {
  do: "create" | "update" | "delete" | "complete" | "claim" | "foreign" | "slow" | "undone";
  ms: number;
}

function step(): fc.Arbitrary<Step> {
  return fc.record({
    do: fc.constantFrom(
      ...(["create", "create", "update", "delete", "complete"] as const),
      ...(["claim", "foreign", "slow", "undone"] as const),
    ),
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

/** Takes the steps and returns the changes that they made. */
async function write({ api, db, organizationId, keys }: World, steps: Step[]): Promise<string[]> {
  const [key, foreign] = keys;
  const written: string[] = [];
  const ids: string[] = [];
  const call = async (method: string, path: string, options: object = { key }) =>
    (await api(method, path, options)).status < 300;
  const create = async (options: object) =>
    (await api("POST", "/api/tasks", { ...options, body: { name: "A task" } })).body;
  for (const { do: action, ms } of steps) {
    const id = ids.at(-1);
    if (
      action === "create" ||
      (id === undefined && ["update", "delete", "complete"].includes(action))
    ) {
      const made = await create({ key });
      ids.push(made.id);
      written.push(`created ${made.id}`);
    } else if (action === "update") {
      if (await call("PATCH", `/api/tasks/${id}`, { key, body: { name: "B" } }))
        written.push(`updated ${id}`);
    } else if (action === "delete") {
      ids.pop();
      if (await call("DELETE", `/api/tasks/${id}`)) written.push(`deleted ${id}`);
    } else if (action === "complete") {
      ids.pop();
      if (await call("POST", `/api/tasks/${id}/complete`)) written.push(`completed ${id}`);
    } else if (action === "claim") {
      const open = await create({});
      const body = { claim_token: open.claim_token };
      if (await call("POST", `/api/claim/${open.id}`, { key, body }))
        written.push(`claimed ${open.id}`);
    } else if (action === "foreign") {
      await create({ key: foreign });
    } else {
      // A transaction that goes on for a while, and one that is rolled back.
      const client = await db.connect();
      const one = `tsk_${Math.random()}`;
      await client.query("BEGIN");
      await client.query(
        "INSERT INTO changes (organization_id, kind, action, resource_id) VALUES ($1, 'tasks', 'created', $2)",
        [organizationId, one],
      );
      await pause(ms);
      await client.query(action === "slow" ? "COMMIT" : "ROLLBACK");
      client.release();
      if (action === "slow") written.push(`created ${one}`);
    }
  }
  return written;
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

function textOf({ action, resource_id }: Change): string {
  return `${action} ${resource_id}`;
}
