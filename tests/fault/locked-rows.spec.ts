import { makeOrganization } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test, withDatabase } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";
import { leaseClient } from "../support/leases";
import { whileLocked } from "../support/locks";
import { connect } from "../support/mcp";
import { startCallback } from "../support/mcp-callback";
import { callEvents } from "../support/mcp-events";
import { countByStatus, dispatch as dispatchNow, insertMessages } from "../support/messages";
import { makeSchedule, rewind } from "../support/schedules";
import { capture, makeEndpoint } from "../support/webhooks";

/** What another transaction is writing is passed over at once, and the rest is not held up by it. */

test("A worker passes over a task that is locked, and a receiver an event", async ({
  sharedServers: [{ api }],
  sharedDatabase,
}) => {
  await withDatabase(sharedDatabase, async (db) => {
    const { key } = await makeOrganization(db);
    const { task, next } = leaseClient(api, key);
    const [first, second] = [await task(), await task()];
    const [leased] = await whileLocked(db, { table: "tasks", id: first.id }, () => next());
    expect(leased.task?.id).toBe(second.id);
    // As while another task comes to wait for it, or a note is added.
    const linked = { table: "tasks", id: first.id, strength: "KEY SHARE" };
    const [free] = await whileLocked(db, linked, () => next());
    expect(free.task?.id).toBe(first.id);

    const inbox = await makeInbox(api, {}, key);
    const events = [await inbox.ingest({ raw: "1" }), await inbox.ingest({ raw: "2" })];
    const row = { table: "inbox_events", id: String(events[0]?.id) };
    const [received] = await whileLocked(db, row, () => inbox.receive({ limit: 2 }));
    expect(received.map(({ id }) => id)).toEqual([events[1]?.id]);
  });
});

test("A dispatch passes over a message, a schedule and a subscription that are locked", async ({
  db,
  key,
  start,
  target,
}) => {
  // It tries again for as long as that.
  const { api, output } = await start({ ...QUIET, DISPATCH_BUDGET_MS: "500" });
  const dispatch = async () => expectStatus(await api("POST", "/api/messages/dispatch"), 200);

  const [message = "", other] = await insertMessages(db, { url: target.url, count: 2 });
  await whileLocked(db, { table: "scheduled_messages", id: message }, dispatch);
  const { rows: sent } = await db.query<{ id: string }>(
    "SELECT id FROM scheduled_messages WHERE status = 'delivered'",
  );
  expect(sent).toEqual([{ id: other }]);
  await dispatch();

  const schedules = [await makeSchedule(api, key), await makeSchedule(api, key)] as const;
  for (const { id } of schedules) await rewind(db, id, 90);
  await whileLocked(db, { table: "schedules", id: schedules[0].id }, dispatch);
  const { rows: run } = await db.query("SELECT DISTINCT schedule_id AS id FROM schedule_runs");
  expect(run).toEqual([{ id: schedules[1].id }]);
  await dispatch();

  const inboxes = [await makeInbox(api, {}, key), await makeInbox(api, {}, key)] as const;
  const subscriptions: string[] = [];
  for (const { id } of inboxes) {
    const body = { inbox_id: id, kinds: ["tasks"] };
    const response = await api("POST", "/api/subscriptions", { key, body });
    expectStatus(response, 200);
    subscriptions.push(String(response.body.id));
  }
  // Nothing is pushed before the lock.
  await db.query(
    "INSERT INTO restores (taken_at, lost_after_xid, lost_until_xid) VALUES (0, 0, 0)",
  );
  await expect.poll(output).toContain("Dispatch is off");
  await leaseClient(api, key).task();
  const ready = () => Promise.all(inboxes.map(async (inbox) => (await inbox.stats()).ready));
  await whileLocked(db, { table: "subscriptions", id: subscriptions[0] ?? "" }, async () => {
    await db.query("DELETE FROM restores");
    await dispatch();
    await expect.poll(ready).toEqual([0, 1]);
  });
});

test("The result of a delivery is written while another's message is locked, and then the other's", async ({
  db,
  start,
  startHoldingTarget,
}) => {
  const { api } = await start(QUIET);
  const [locked, other] = [await startHoldingTarget(), await startHoldingTarget()];
  const [id = ""] = await insertMessages(db, { url: locked.url, count: 1 });
  const [otherId = ""] = await insertMessages(db, { url: other.url, count: 1 });
  const dispatched = dispatchNow(api);
  await expect.poll(() => locked.held.length + other.held.length).toBe(2);
  const [result] = await whileLocked(
    db,
    { table: "scheduled_messages", id },
    () => {
      locked.open();
      return dispatched;
    },
    () => {
      other.open();
      return expect.poll(() => countByStatus(db, [otherId])).toEqual({ delivered: 1 });
    },
  );
  expect(result).toMatchObject({ dispatched: 2, delivered: 2 });
  expect(locked.received).toHaveLength(1);
});

test("Pushes that wait for a locked row do not hold up another organization's", async ({
  db,
  key,
  start,
}) => {
  const { api, baseUrl } = await start(QUIET);
  const { id } = await makeEndpoint(api, { key });
  const callback = await startCallback();
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const client = await connect(baseUrl, { key });
  await callEvents(client, "subscribe", { ...asked, delivery: callback.delivery });
  const slow = await makeOrganization(db);
  await leaseClient(api, slow.key).task();
  await db.query(
    `INSERT INTO subscriptions (id, organization_id, kinds, actions, url, after_xid, after_id, suspended_at)
     SELECT 'sub_0' || n, $1, '{tasks}', '{}', 'http://127.0.0.1:9/', 0, 0, 1
     FROM generate_series(1, 6) AS n`,
    [slow.id],
  );
  /** Since when the first of those that wait has waited. */
  const waiting = async () => {
    const { rows } = await db.query<{ since: string | null }>(
      `SELECT min(query_start)::text AS since FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.since;
  };
  const lock = await db.connect();
  try {
    await lock.query("BEGIN");
    await lock.query("SELECT FROM organizations WHERE id = $1 FOR UPDATE", [slow.id]);
    // Each stores a message, which refers to the organization.
    await db.query("UPDATE subscriptions SET suspended_at = NULL WHERE organization_id = $1", [
      slow.id,
    ]);
    await expect.poll(waiting, { intervals: [20] }).not.toBeNull();
    const since = await waiting();
    const captured = await capture(api, id);
    await expect
      .poll(() => callback.accepted.map(({ eventId }) => eventId), { intervals: [20] })
      .toEqual([captured]);
    expect(await waiting()).toBe(since);
    await lock.query("COMMIT");
  } finally {
    // Also ends the transaction after a failure.
    lock.release(true);
    await callback.stop();
  }
});
