import type { Pool } from "pg";
import { makeOrganization } from "../support/accounts";
import { replayEnded, startReplay } from "../support/bulk-replays";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { lockWaits, whileHeld } from "../support/locks";
import { rowsOf } from "../support/rows";
import { statementCounter } from "../support/sent-statements";
import { freePort } from "../support/servers";
import { capture, fillEndpoint, makeEndpoint } from "../support/webhooks";

const FOUR = {
  DELIVERIES_MAX: "4",
  DELIVERIES_PER_ORGANIZATION_MAX: "4",
  DELIVERIES_PER_HOST_MAX: "4",
};

test("Replays to a slow target take half of the places for deliveries, so other messages do not wait", async ({
  db,
  key,
  start,
  startTarget,
}) => {
  const held: (() => void)[] = [];
  const target = await startTarget((response, { path }) => {
    if (path === "/other") response.end();
    else held.push(() => response.end());
  });
  const { api } = await start({ ...QUIET, ...FOUR });
  const { id } = await makeEndpoint(api, { key });
  const event = await capture(api, id, { raw: "x" });
  const replay = async () => {
    const body = { url: `${target.url}/held` };
    const path = `/api/webhooks/${id}/events/${event}/replay`;
    expectStatus(await api("POST", path, { key, body }), 201);
  };
  for (let n = 0; n < 6; n += 1) await replay();
  await expect.poll(() => held.length).toBe(2);
  // A place that becomes free is taken at once.
  held.shift()?.();
  await expect.poll(() => target.received.length).toBe(3);
  expect(target.atOnce).toBe(2);
  // Also one that becomes free while the server looks for replays, and finds no room. It gives up after
  // a few seconds, so that this polls as often as it can.
  const often = { intervals: [10] };
  await whileHeld(db, "LOCK TABLE restores", async () => {
    await replay();
    await expect.poll(() => lockWaits(db, "considered AS MATERIALIZED"), often).toBe(1);
    held.shift()?.();
    await expect.poll(() => countDelivered(db), often).toBe(2);
  });
  await expect.poll(() => target.received.length).toBe(4);
  const other = { url: `${target.url}/other`, delay_seconds: 0, body: "x" };
  const message = await api("POST", "/api/messages", { key, body: other });
  void api("POST", "/api/messages/dispatch").catch(() => {}); // the server may end before
  // The dispatch may first give a place to each waiting replay of the same queue.
  await expect
    .poll(async () => {
      held.shift()?.();
      return (await api("GET", `/api/messages/${message.body.id}`, { key })).body.status;
    })
    .toBe("delivered");
});

test("Bulk replays whose statements are too slow leave the rounds to the others", async ({
  db,
  key,
  start,
  target,
}) => {
  const { api } = await start(QUIET);
  const { id } = await makeEndpoint(api, { key, max_events: 300 });
  await fillEndpoint(db, { id, count: 200 });
  const { id: other } = await makeOrganization(db);
  // A rollback does not reset a sequence.
  await db.query(`CREATE SEQUENCE failures;
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM nextval('failures'), pg_sleep(0.5);
      RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014';
    END $$;
    CREATE TRIGGER fail BEFORE UPDATE ON webhook_replays
      FOR EACH ROW WHEN (NEW.url = 'http://slow.example/') EXECUTE FUNCTION fail()`);
  await db.query(
    `INSERT INTO webhook_replays (id, organization_id, endpoint_id, url, position, up_to, total)
     SELECT 'wrp_' || n, $1, $2, 'http://slow.example/', '', 'wev_z', 1
     FROM generate_series(1, 3) AS n`,
    [other, id],
  );
  const replay = await startReplay(api, id, { url: target.url }, key);
  const ended = await replayEnded(api, id, replay.id, key);
  expect(ended).toMatchObject({ status: "completed", delivered: 200 });
  // It takes five rounds or more, and each slow one would fail in each of them.
  const { rows } = await db.query<{ count: number }>(
    "SELECT last_value::int AS count FROM failures",
  );
  expect(rows[0]?.count).toBeLessThan(12);
});

test("A bulk replay of which only retries are left waits for the scheduler", async ({
  databaseUrl,
  db,
  key,
  start,
  startTcpProxy,
}) => {
  const rounds = statementCounter("webhook_replays r CROSS JOIN");
  const proxy = await startTcpProxy(databaseUrl, rounds.read);
  const { api } = await start({ ...QUIET, DATABASE_URL: proxy.url });
  const { id } = await makeEndpoint(api, { key });
  await fillEndpoint(db, { id, count: 5 });
  const url = `http://127.0.0.1:${await freePort()}/`;
  await startReplay(api, id, { url, retry: true }, key);
  const failed = () => rowsOf(db).scheduledMessage.count({ where: { status: "failed" } });
  await expect.poll(failed).toBe(5);
  // Their host is down, so a dispatch sends one of them.
  await db.query("UPDATE scheduled_messages SET due_at = unix_now() - 60");
  rounds.count = 0;
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  await expect.poll(rounds.more).toBe(0);
  expect(rounds.count).toBeGreaterThan(0);
});

function countDelivered(db: Pool): Promise<number> {
  return rowsOf(db).scheduledMessage.count({ where: { status: "delivered" } });
}
