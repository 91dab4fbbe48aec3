import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
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
