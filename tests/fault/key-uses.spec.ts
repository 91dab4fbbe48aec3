import { makeKey } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { databaseNow } from "../support/leases";
import { lockWaits, whileHeld } from "../support/locks";
import { rowsOf } from "../support/rows";

test("Each use of a key is counted once, also while another writes it and when two servers stop", async ({
  startTwo,
  db,
  organization: { key },
}) => {
  const servers = await startTwo(QUIET);
  const where = { last_four: key.slice(-4) };
  const lock = `SELECT FROM api_keys WHERE last_four = '${where.last_four}' FOR NO KEY UPDATE`;
  await whileHeld(db, lock, async () => {
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        servers.flatMap(({ api }) =>
          Array.from({ length: 5 }, async () =>
            expectStatus(await api("GET", "/api/me", { key }), 200),
          ),
        ),
      );
    }
  });
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
  const now = await whileHeld(db, "LOCK TABLE api_keys IN EXCLUSIVE MODE", async () => {
    await use(key);
    await expect.poll(() => lockWaits(db)).toBe(1);
    const before = await databaseNow(db);
    await use(late);
    // For the server, more than half a second passes until it writes.
    kill("SIGUSR2");
    expectStatus(await api("GET", "/livez"), 200);
    return before;
  });
  const where = { last_four: late.slice(-4) };
  const lastUsed = async () => (await rowsOf(db).apiKey.findFirstOrThrow({ where })).last_used_at;
  await expect.poll(lastUsed).toBeGreaterThanOrEqual(now);
});
