import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { rowsOf } from "../support/rows";

test("Each use of a key is counted once, also those that two servers held back when they stopped", async ({
  startTwo,
  db,
  organization: { key },
}) => {
  const servers = await startTwo(QUIET);
  await Promise.all(
    servers.flatMap(({ api }) =>
      Array.from({ length: 20 }, async () =>
        expectStatus(await api("GET", "/api/me", { key }), 200),
      ),
    ),
  );
  await Promise.all(servers.map((server) => server.stop()));
  const where = { last_four: key.slice(-4) };
  const { uses_by_day } = await rowsOf(db).apiKey.findFirstOrThrow({ where });
  const uses = uses_by_day.map((slot) => Number(slot ?? 0) % 2 ** 32);
  expect(uses.reduce((sum, count) => sum + count, 0)).toBe(40);
});
