import { expectError, expectStatus } from "../support/expectations";
import { expect, onCitus, test } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import { whileLocked } from "../support/locks";
import { allEvents, capture, makeEndpoint, readEndpoint } from "../support/webhooks";

/** A write and a change of `max_events` that wait for each other, in both orders. */

test.skip(onCitus, "Finds out who waits for a lock on one server");

test("A capture after a higher max_events evicts no event, and one before it does", async ({
  api,
  db,
}) => {
  for (const isRaiseFirst of [false, true]) {
    const { id } = await makeEndpoint(api, { max_events: 3 });
    const sent: string[] = [];
    const captureOne = async () => {
      sent.push(await capture(api, id));
    };
    for (let n = 0; n < 3; n += 1) await captureOne();
    const raise = async () => {
      const change = { body: { max_events: 10 } };
      expectStatus(await api("PATCH", `/api/webhooks/${id}`, change), 200);
    };
    const requests = isRaiseFirst ? [raise, captureOne] : [captureOne, raise];
    await whileLocked(db, { table: "endpoint_state", key: "endpoint_id", id }, ...requests);
    const left = sent.slice(isRaiseFirst ? -4 : -3);
    expect((await allEvents(api, id)).map((event) => event.id)).toEqual(left.reverse());
    expect((await readEndpoint(api, id)).event_count).toBe(left.length);
  }
});

test("An ingest after a lower max_events is refused, and one before it is kept", async ({
  api,
  db,
}) => {
  for (const isLowerFirst of [false, true]) {
    const inbox = await makeInbox(api, { max_events: 2 });
    await inbox.ingest();
    const ingest = () => inbox.tryIngest();
    const lower = () => api("PATCH", inbox.path, { body: { max_events: 1 } });
    const row = { table: "inbox_state", key: "inbox_id", id: inbox.id };
    const order = isLowerFirst ? ([lower, ingest] as const) : ([ingest, lower] as const);
    const answers = await whileLocked(db, row, ...order);
    const [changed, ingested] = isLowerFirst ? answers : answers.toReversed();
    if (!changed || !ingested) throw new Error("There are two answers.");
    expectStatus(changed, 200);
    if (isLowerFirst) expectError(ingested, 429, "inbox_full");
    else expectStatus(ingested, 201);
    expect(await inbox.eventCount()).toBe(isLowerFirst ? 1 : 2);
    expectError(await inbox.tryIngest(), 429, "inbox_full");
  }
});
