import { makeKey } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { databaseNow } from "../support/leases";
import { rowsOf } from "../support/rows";

test("Each use of a key is counted once, also while another writes it and when two servers stop", async ({
  startTwo,
  db,
  organization: { key },
}) => {
  const servers = await startTwo(QUIET);
  const where = { last_four: key.slice(-4) };
  const lock = await db.connect();
  await lock.query("BEGIN");
  await lock.query("SELECT FROM api_keys WHERE last_four = $1 FOR NO KEY UPDATE", [
    where.last_four,
  ]);
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(
      servers.flatMap(({ api }) =>
        Array.from({ length: 5 }, async () =>
          expectStatus(await api("GET", "/api/me", { key }), 200),
        ),
      ),
    );
  }
  await lock.query("COMMIT");
  lock.release();
  await Promise.all(servers.map((server) => server.stop()));
  const { uses_by_day } = await rowsOf(db).apiKey.findFirstOrThrow({ where });
  const uses = uses_by_day.map((slot) => Number(slot ?? 0) % 2 ** 32);
  expect(uses.reduce((sum, count) => sum + count, 0)).toBe(40);
});

test("A use of a key that waits to be written is not recorded as earlier than it was", async ({
  start,
  db,
  organization: { id, key },
}) => {
  const argv = ["--import", "./tests/support/moved-clock.mjs"];
  const { api, kill } = await start({ ...QUIET, PASSED_MS: "600" }, undefined, argv);
  const late = await makeKey(db, id);
  const use = async (one: string) => expectStatus(await api("GET", "/api/me", { key: one }), 200);
  const lock = await db.connect();
  await lock.query("BEGIN; LOCK TABLE api_keys IN EXCLUSIVE MODE");
  await use(key);
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await db.query(waiting)).rowCount).toBe(1);
  const now = await databaseNow(db);
  await use(late);
  // For the server, more than half a second passes until it writes.
  kill("SIGUSR2");
  expectStatus(await api("GET", "/livez"), 200);
  await lock.query("COMMIT");
  lock.release();
  const where = { last_four: late.slice(-4) };
  const lastUsed = async () => (await rowsOf(db).apiKey.findFirstOrThrow({ where })).last_used_at;
  await expect.poll(lastUsed).toBeGreaterThanOrEqual(now);
});
