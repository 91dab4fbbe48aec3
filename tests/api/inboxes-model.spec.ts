import assert from "node:assert/strict";
import fc from "fast-check";
import type { Pool } from "pg";
import { test } from "../support/fixtures";
import { jsonOf } from "../support/http";
import { type Event, elapse, type InboxClient, makeInbox, type Receipt } from "../support/inboxes";

/**
 * Random operations on an inbox and on an in-memory model of it. Time is in
 * units of a thousand seconds that pass when the test says so: what the test itself takes is nothing.
 */
const UNIT = 1000;
const MAX_EVENTS = 4;
const MAX_DELIVERIES = 10;

test("An inbox behaves like a simple model of a queue, whatever the order of calls", async ({
  api,
  db,
}) => {
  test.setTimeout(600_000);
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`FUZZ_SEED=${seed}`);
  await fc.assert(
    fc.asyncProperty(fc.array(action(), { minLength: 20, maxLength: 40 }), async (actions) => {
      const inbox = await makeInbox(api, { max_events: MAX_EVENTS });
      const model = new Model();
      for (const one of actions) {
        await perform[one.do](one, inbox, model, db);
        const shown = (await inbox.events({ limit: 100 })).map(({ id, state, delivery_count }) => ({
          id,
          state,
          delivery_count,
        }));
        assert.deepEqual(shown, model.shown());
        assert.equal(await inbox.eventCount(), model.pending().length);
      }
      const { totals } = await inbox.stats();
      const gone = totals.acknowledged + totals.expired + totals.purged;
      assert.equal(totals.ingested, gone + model.shown().length);
    }),
    { seed, numRuns: 5, endOnFailure: true },
  );
});

interface Action {
  do:
    | "ingest"
    | "receive"
    | "ack"
    | "nack"
    | "extend"
    | "redrive"
    | "redriveAll"
    | "remove"
    | "purge"
    | "wait"
    | "wear";
  /** Picks one of the events or deliveries so far. */
  which: number;
  units: number;
  ttl: number;
  dedup: "a" | "b" | null;
  state: "ready" | "delayed" | "leased" | "dead" | undefined;
}

function action(): fc.Arbitrary<Action> {
  return fc.record({
    do: fc.constantFrom(
      ...([
        "ingest",
        "ingest",
        "ingest",
        "receive",
        "receive",
        "receive",
        "ack",
        "nack",
        "extend",
      ] as const),
      ...(["redrive", "redriveAll", "remove", "purge", "wait", "wait", "wear"] as const),
    ),
    which: fc.nat(1000),
    units: fc.integer({ min: 0, max: 2 }),
    ttl: fc.integer({ min: 1, max: 5 }),
    dedup: fc.constantFrom(null, null, "a", "b"),
    state: fc.constantFrom("ready", "delayed", "leased", "dead", undefined),
  });
}

interface Known {
  id: string;
  /** Ready from this unit of time on; within one unit in the order of arrival. */
  visibleAt: number;
  order: number;
  expiresAt: number;
  lapsesAt: number;
  deliveries: number;
  lease: string | null;
  dead: boolean;
  dedup: string | null;
  guard: string | null;
}

class Model {
  now = 0;
  steps = 0;
  events: Known[] = [];
  deliveries: Array<{ id: string; lease_id: string }> = [];

  stateOf(event: Known) {
    if (event.dead || event.lapsesAt <= this.now) return "dead";
    if (event.visibleAt <= this.now) return "ready";
    return event.lease === null ? "delayed" : "leased";
  }
  alive() {
    return this.events.filter(({ expiresAt }) => expiresAt > this.now);
  }
  pending() {
    return this.alive().filter((event) => this.stateOf(event) !== "dead");
  }
  shown() {
    return this.alive()
      .map((event) => ({
        id: event.id,
        state: this.stateOf(event),
        delivery_count: event.deliveries,
      }))
      .sort((left, right) => (left.id < right.id ? -1 : 1));
  }
  ready() {
    return this.pending()
      .filter((event) => this.stateOf(event) === "ready")
      .sort((a, b) => a.visibleAt - b.visibleAt || a.order - b.order || (a.id < b.id ? -1 : 1));
  }
  find(id: string) {
    return this.alive().find((event) => event.id === id);
  }
  drop(gone: Known[]) {
    this.events = this.events.filter((event) => !gone.includes(event));
  }
}

type Perform = (action: Action, inbox: InboxClient, model: Model, db: Pool) => Promise<void>;

const perform: Record<Action["do"], Perform> = {
  async ingest({ dedup, units, ttl }, inbox, model) {
    const query = {
      ttl_seconds: ttl * UNIT,
      delay_seconds: units * UNIT,
      dedup_id: dedup ?? undefined,
    };
    const response = await inbox.tryIngest({ query });
    if (units >= ttl) {
      assert.equal(response.status, 400);
      return;
    }
    const known = model.pending().find(({ guard }) => guard !== null && guard === dedup);
    if (known) {
      assert.deepEqual([response.status, response.body.id], [200, known.id]);
    } else if (model.pending().length >= MAX_EVENTS) {
      assert.equal(response.status, 429);
    } else {
      assert.equal(response.status, 201);
      model.events.push({
        id: jsonOf<Receipt>(response).id,
        visibleAt: model.now + units,
        order: model.steps++,
        expiresAt: model.now + ttl,
        lapsesAt: model.now + ttl,
        deliveries: 0,
        lease: null,
        dead: false,
        dedup,
        guard: dedup,
      });
    }
  },

  async receive({ which, units }, inbox, model) {
    const lease = units + 1;
    const limit = 1 + (which % 3);
    const received = await inbox.receive({ limit, lease_seconds: lease * UNIT });
    const expected = model.ready().slice(0, limit);
    assert.deepEqual(
      received.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
    const order = model.steps++;
    for (const [index, event] of expected.entries()) {
      event.deliveries += 1;
      event.lease = received[index]?.lease_id ?? null;
      event.visibleAt = model.now + lease;
      event.order = order;
      if (event.deliveries >= MAX_DELIVERIES)
        event.lapsesAt = Math.min(event.expiresAt, event.visibleAt);
    }
    model.deliveries.push(...received);
  },

  async ack({ which }, inbox, model) {
    const delivery = chosen(model.deliveries, which);
    if (!delivery) return;
    const event = model.find(delivery.id);
    const { status } = await inbox.ack(delivery as Event);
    assert.equal(status, statusOf(event, delivery, 204));
    if (event && status === 204) model.drop([event]);
  },

  async nack({ which, units, state }, inbox, model) {
    const delivery = chosen(model.deliveries, which);
    if (!delivery) return;
    const event = model.find(delivery.id);
    const dead = state === "dead";
    const { status } = await inbox.nack(delivery as Event, { delay_seconds: units * UNIT, dead });
    assert.equal(status, statusOf(event, delivery, 200));
    if (!event || status !== 200) return;
    event.lease = null;
    event.lapsesAt = event.expiresAt;
    event.visibleAt = model.now + units;
    event.order = model.steps++;
    if (dead || event.dead || event.deliveries >= MAX_DELIVERIES) bury(event);
  },

  async extend({ which, units }, inbox, model) {
    const delivery = chosen(model.deliveries, which);
    if (!delivery) return;
    const event = model.find(delivery.id);
    const isDead = event !== undefined && model.stateOf(event) === "dead";
    const { status } = await inbox.extend(delivery as Event, (units + 1) * UNIT);
    assert.equal(status, isDead ? 409 : statusOf(event, delivery, 200));
    if (!event || status !== 200) return;
    event.visibleAt = model.now + units + 1;
    event.order = model.steps++;
    if (event.deliveries >= MAX_DELIVERIES)
      event.lapsesAt = Math.min(event.expiresAt, event.visibleAt);
  },

  async redrive({ which }, inbox, model) {
    const event = chosen(model.events, which);
    if (!event) return;
    const state = model.find(event.id) && model.stateOf(event);
    const { status } = await inbox.redrive(event.id);
    if (state !== "dead") return assert.equal(status, state === undefined ? 404 : 400);
    if (model.pending().length >= MAX_EVENTS) return assert.equal(status, 429);
    assert.equal(status, 200);
    revive(event, model);
  },

  async redriveAll({ units }, inbox, model) {
    const dead = model.alive().filter((event) => model.stateOf(event) === "dead");
    const room = MAX_EVENTS - model.pending().length;
    const revived = dead.slice(0, Math.min(units + 1, room));
    const response = await inbox.redriveAll({ limit: units + 1 });
    if (dead.length > 0 && room === 0) return assert.equal(response.status, 429);
    assert.deepEqual(response.body, {
      object: "inbox_redrive_result",
      redriven: revived.length,
      remaining: dead.length - revived.length,
    });
    for (const event of revived) revive(event, model);
  },

  async remove({ which }, inbox, model) {
    const event = chosen(model.events, which);
    if (!event) return;
    const isAlive = model.find(event.id) !== undefined;
    assert.equal((await inbox.removeEvent(event.id)).status, isAlive ? 204 : 404);
    model.drop([event]);
  },

  async purge({ which, state }, inbox, model) {
    if (which % 4 !== 0) return; // rarely, or the inbox would always be empty
    assert.equal((await inbox.purge({ state })).status, 204);
    model.drop(
      model.alive().filter((event) => state === undefined || model.stateOf(event) === state),
    );
  },

  async wait({ units }, inbox, model, db) {
    await elapse(db, inbox.id, units * UNIT);
    model.now += units;
    for (const event of model.alive()) if (model.stateOf(event) === "dead") bury(event);
  },

  /** Gives an event nearly its maximum number of deliveries. */
  async wear({ which }, inbox, model, db) {
    const event = chosen(model.events, which);
    if (!event || event.lease !== null) return;
    event.deliveries = MAX_DELIVERIES - 1;
    const text = "UPDATE inbox_events SET delivery_count = $3 WHERE inbox_id = $1 AND id = $2";
    await db.query(text, [inbox.id, event.id, event.deliveries]);
  },
};

/** Like a new event, but another may have taken its `dedup_id`. */
function revive(event: Known, model: Model) {
  const isTaken = model.pending().some(({ guard }) => guard !== null && guard === event.dedup);
  Object.assign(event, {
    dead: false,
    deliveries: 0,
    lease: null,
    visibleAt: model.now,
    order: model.steps++,
    lapsesAt: event.expiresAt,
    guard: isTaken ? null : event.dedup,
  });
}

/** Dead until redriven. */
function bury(event: Known) {
  event.dead = true;
  event.lapsesAt = event.expiresAt;
  event.guard = null;
}

function statusOf(event: Known | undefined, { lease_id }: { lease_id: string }, success: number) {
  if (!event) return 404;
  return event.lease === lease_id ? success : 409;
}

function chosen<Item>(items: Item[], which: number): Item | undefined {
  return items[which % Math.max(items.length, 1)];
}
