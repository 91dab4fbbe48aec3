import { makeOrganization } from "@/tests/support/accounts";
import { expectStatus } from "@/tests/support/expectations";
import { expect, test } from "@/tests/support/fault-fixtures";
import { randomText } from "@/tests/support/keys";

const ROWS = 20;
const TEXT_BYTES = 10_000_000;

const MESSAGE = "'http://a.example/', 'a.example', 'POST', '{}', 4000000000, 'scheduled'";
const LISTS = {
  "/api/tasks": "INSERT INTO tasks (name, %) SELECT 'long', %",
  "/api/webhooks": "INSERT INTO webhook_endpoints (name, %) SELECT 'long', %",
  "/api/artifacts": "INSERT INTO artifacts (name, content, size, %) SELECT 'long', '', 0, %",
  "/api/messages": `INSERT INTO scheduled_messages (url, host, method, headers, scheduled_at, status, %)
                    SELECT ${MESSAGE}, %`,
  "/api/inboxes": `INSERT INTO inboxes (name, default_ttl_seconds, max_events, %)
                   SELECT 'long', 60, 1, %`,
};

test("A list of rows larger than the server's memory is served page by page, for every kind", async ({
  databaseUrl,
  db,
  start,
}) => {
  const server = await start({
    DATABASE_URL: databaseUrl,
    SERVER_SECRET: randomText(40),
    NODE_OPTIONS: "--max-old-space-size=128",
  });
  const { id, key } = await makeOrganization(db);
  for (const [path, insert] of Object.entries(LISTS)) {
    const statement = insert
      .replace("%", "id, organization_id, external_id")
      .replace("%", "'x_' || lpad(n::text, 2, '0'), $1, repeat('x', $2)");
    await db.query(`${statement} FROM generate_series(1, $3::integer) AS n`, [
      id,
      TEXT_BYTES,
      ROWS,
    ]);
    const query = { limit: 100 };
    const first = await server.api("GET", path, { key, query });
    expectStatus(first, 200);
    const shown = first.body.data.map((item) => item.id);
    expect(shown).toEqual([`x_${ROWS}`]);
    expect(first.body).toMatchObject({ has_more: true, next_cursor: `x_${ROWS}` });
  }
});
