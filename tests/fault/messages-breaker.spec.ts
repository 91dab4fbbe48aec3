import type { Pool } from "pg";
import { expectStatus } from "../support/expectations";
import { expect, QUIET } from "../support/fault-fixtures";
import { dispatch, insertMessages } from "../support/messages";
import { withOneServer } from "../support/one-server";
import { freePort } from "../support/servers";

/** How dispatch treats a host that cannot be connected to. */

const test = withOneServer(QUIET);

// A dispatch would send those of other tests, too.
test.beforeEach(({ db }) => db.query("DELETE FROM scheduled_messages"));

/** The attempts of each message, in order. */
async function attempts(db: Pool, ids: string[]): Promise<number[]> {
  const text = "SELECT attempts FROM scheduled_messages WHERE id = ANY ($1) ORDER BY id";
  return (await db.query<{ attempts: number }>(text, [ids])).rows.map((row) => row.attempts);
}

/** Makes retries due, the first one first. */
async function makeDue(db: Pool, ids: string[]) {
  await db.query(
    `UPDATE scheduled_messages SET due_at = unix_now() - 60 + array_position($1, id)
     WHERE id = ANY ($1) AND status = 'failed'`,
    [ids],
  );
}

test("A new message to a closed port is always sent when due; of the retries one, the newest, until the host is back", async ({
  db,
  server: { api },
  startTarget,
}) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/down`;
  const first = await insertMessages(db, { url, count: 5 });
  expect(await dispatch(api)).toMatchObject({ dispatched: 5, failed: 5, remaining: 0 });
  // A later run of the same client, whose earlier messages wait for their second attempt.
  await makeDue(db, first);
  const created = await api("POST", "/api/messages", { body: { url, delay_seconds: 0 } });
  const second = await insertMessages(db, { url, count: 5 });
  expect(await dispatch(api)).toMatchObject({ dispatched: 7, failed: 7, remaining: 4 });
  expect(await attempts(db, [created.body.id, ...second])).toEqual(Array(6).fill(1));
  expect(await attempts(db, first)).toEqual([1, 1, 1, 1, 2]);

  await startTarget(undefined, port);
  const [last = ""] = await insertMessages(db, { url, count: 1 });
  expect(await dispatch(api)).toMatchObject({ dispatched: 5, delivered: 5, remaining: 0 });
  expect(await attempts(db, first)).toEqual([2, 2, 2, 2, 2]);
  expect(await attempts(db, [last])).toEqual([1]);
});

test("New messages behind more retries than a lease looks at are sent", async ({
  db,
  server: { api },
}) => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const old = await insertMessages(db, { url, count: 300 });
  expect(await dispatch(api)).toMatchObject({ dispatched: 300, failed: 300 });
  await makeDue(db, old);
  const fresh = await insertMessages(db, { url, count: 3 });
  await dispatch(api);
  expect(await attempts(db, fresh)).toEqual([1, 1, 1]);
  const again = (await attempts(db, old)).filter((count) => count > 1);
  expect(again.length).toBeLessThan(50);
});

test("Senders are probed in turn, and none is held back by another", async ({
  db,
  server: { api },
}) => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const networks = ["198.51.100.1", "198.51.100.2"];
  const [one = [], other = []] = await Promise.all(
    networks.map((network) => insertMessages(db, { url, count: 10, network })),
  );
  await dispatch(api);
  const [modest = ""] = await insertMessages(db, { url, count: 1, network: "198.51.100.3" });
  await dispatch(api);
  await makeDue(db, [modest, ...one, ...other]);
  const retried = async (ids: string[]) =>
    (await attempts(db, ids)).filter((count) => count > 1).length;
  await dispatch(api);
  expect(await retried([modest])).toBe(1);
  await expect
    .poll(async () => {
      await dispatch(api);
      return (await retried(one)) + (await retried(other));
    })
    .toBe(2);
  expect([await retried(one), await retried(other)]).toEqual([1, 1]);
});

test("60 messages whose TLS handshake fails do not delay others' to the same port over plain HTTP", async ({
  db,
  key,
  server: { api },
  target,
}) => {
  const send = async (url: string, address: string, options: { key?: string } = {}) => {
    const headers = { "x-forwarded-for": address };
    const body = { url, delay_seconds: 0 };
    const created = await api("POST", "/api/messages", { body, headers, ...options });
    expectStatus(created, 201);
    return created.body.id;
  };
  const hostile = () => send(target.url.replace("http:", "https:"), "198.51.100.1");
  const failing = await Promise.all(Array.from({ length: 60 }, hostile));
  await dispatch(api);
  await makeDue(db, failing);
  await hostile();
  await send(`${target.url}/tenant`, "198.51.100.1", { key });
  await send(`${target.url}/stranger`, "198.51.100.2");
  await dispatch(api);
  expect(target.received.map(({ path }) => path).toSorted()).toEqual(["/stranger", "/tenant"]);
});
