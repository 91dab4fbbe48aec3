import assert from "node:assert/strict";
import fc from "fast-check";
import type { Pool } from "pg";
import { test } from "../support/fixtures";
import { elapseLeases, type LeaseClient, leaseClient, leaseOf } from "../support/leases";

/**
 * Random operations of three workers on four tasks and on an in-memory model of them. Time is in
 * units of a thousand seconds that pass when the test says so: what the test itself takes is nothing.
 */
const UNIT = 1000;
const PRIORITIES = ["critical", "high", "medium", "low"];

test("Leases behave like a simple model, whatever the order of calls", async ({
  api,
  db,
  organization,
  key,
}) => {
  test.setTimeout(180_000);
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`FUZZ_SEED=${seed}`);
  const client = leaseClient(api, key);
  await fc.assert(
    fc.asyncProperty(
      tasks(),
      fc.array(action(), { minLength: 15, maxLength: 30 }),
      async (...run) => {
        await db.query("DELETE FROM tasks WHERE organization_id = $1", [organization.id]);
        const [fields, actions] = run;
        const model: Known[] = [];
        for (const one of fields) model.push({ ...one, id: (await client.task(one)).id, token: 0 });
        const given: Given[] = [];
        for (const one of actions) {
          await perform[one.do](one, { client, model, given, db });
          assert.deepEqual(await shownBy(client, model), model.map(expected));
        }
      },
    ),
    { seed, numRuns: 5, endOnFailure: true },
  );
});

interface Fields {
  priority: string;
  due_at: number | null;
  labels: string[];
}

interface Known extends Fields {
  id: string;
  token: number;
  /** The last lease, which has expired when no units are left. */
  lease?: { id: string; holder: string; unitsLeft: number; isReleased?: boolean };
}

interface Given {
  task: string;
  id: string;
}

interface World {
  client: LeaseClient;
  model: Known[];
  given: Given[];
  db: Pool;
}

interface Action {
  do: "take" | "renew" | "release" | "next" | "wait";
  /** Picks one of the tasks, or of the leases so far. */
  which: number;
  holder: string;
  units: number;
  labels: string[];
  notLabels: string[];
}

function tasks(): fc.Arbitrary<Fields[]> {
  const labels = fc.subarray(["a", "b", "done"]);
  return fc.array(
    fc.record({
      priority: fc.constantFrom(...PRIORITIES),
      due_at: fc.option(fc.integer({ min: -2, max: 2 })),
      labels,
    }),
    { minLength: 4, maxLength: 4 },
  );
}

function action(): fc.Arbitrary<Action> {
  return fc.record({
    do: fc.constantFrom("take", "take", "renew", "release", "next", "next", "wait"),
    which: fc.nat(1000),
    holder: fc.constantFrom("ann", "bob", "cleo"),
    units: fc.integer({ min: 1, max: 3 }),
    labels: fc.subarray(["a", "b", "done"], { maxLength: 1 }),
    notLabels: fc.subarray(["b", "done"]),
  });
}

const perform: Record<Action["do"], (action: Action, world: World) => Promise<void>> = {
  async take({ which, holder, units }, { client, model, given }) {
    const known = chosen(model, which);
    if (!known) return;
    const response = await client.tryTake(known.id, { holder, lease_seconds: units * UNIT });
    assert.equal(response.status, isHeld(known) ? 409 : 200);
    if (response.status === 200) grant(known, holder, units, leaseOf(response).lease_id, given);
  },

  async renew({ which, holder, units }, { client, model, given }) {
    const lease = chosen(given, which);
    const known = model.find(({ id }) => id === lease?.task);
    if (!lease || !known) return;
    const body = { holder, lease_seconds: units * UNIT, lease_id: lease.id };
    const response = await client.tryTake(known.id, body);
    const renews = known.lease?.id === lease.id && !known.lease.isReleased;
    assert.equal(response.status, renews ? 200 : 409);
    if (response.status === 200) known.lease = { id: lease.id, holder, unitsLeft: units };
  },

  async release({ which }, { client, model, given }) {
    const lease = chosen(given, which);
    const known = model.find(({ id }) => id === lease?.task);
    if (!lease || !known) return;
    const { status } = await client.release(known.id, lease.id);
    assert.equal(status, known.lease?.id === lease.id ? 204 : 409);
    if (status === 204 && known.lease) {
      known.lease = { ...known.lease, unitsLeft: 0, isReleased: true };
    }
  },

  async next({ holder, units, labels, notLabels }, { client, model, given }) {
    const body = { holder, lease_seconds: units * UNIT, labels, not_labels: notLabels };
    const { task, lease } = await client.next(body);
    const first = model
      .filter((known) => !isHeld(known))
      .filter((known) => labels.every((label) => known.labels.includes(label)))
      .filter((known) => !notLabels.some((label) => known.labels.includes(label)))
      .filter((known) => labels.includes("done") || !known.labels.includes("done"))
      .sort(
        (a, b) =>
          PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) ||
          (a.due_at ?? Number.MAX_SAFE_INTEGER) - (b.due_at ?? Number.MAX_SAFE_INTEGER) ||
          model.indexOf(a) - model.indexOf(b),
      )[0];
    assert.equal(task?.id, first?.id);
    if (first && lease) grant(first, holder, units, lease.lease_id, given);
  },

  async wait({ units }, { model, db }) {
    await elapseLeases(
      db,
      model.map(({ id }) => id),
      units * UNIT,
    );
    for (const { lease } of model) if (lease) lease.unitsLeft -= units;
  },
};

/** The lease of each task as read; null for 404. */
function shownBy(client: LeaseClient, model: Known[]) {
  return Promise.all(
    model.map(async ({ id }) => {
      const response = await client.held(id);
      if (response.status === 404) return null;
      const { lease_id, holder, fencing_token } = leaseOf(response);
      return { lease_id, holder, fencing_token };
    }),
  );
}

function expected(known: Known) {
  if (!known.lease || !isHeld(known)) return null;
  const { id, holder } = known.lease;
  return { lease_id: id, holder, fencing_token: known.token };
}

function grant(known: Known, holder: string, units: number, id: string, given: Given[]) {
  known.token += 1;
  known.lease = { id, holder, unitsLeft: units };
  given.push({ task: known.id, id });
}

function isHeld({ lease }: Known) {
  return lease !== undefined && lease.unitsLeft > 0;
}

function chosen<Item>(items: Item[], which: number): Item | undefined {
  return items[which % Math.max(items.length, 1)];
}
