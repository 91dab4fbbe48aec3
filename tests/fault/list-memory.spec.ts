import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";

const ROWS = 16;
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
  db,
  organization: { id, key },
  start,
}) => {
  const server = await start({ NODE_OPTIONS: "--max-old-space-size=128" });
  for (const [path, insert] of Object.entries(LISTS)) {
    const statement = insert
      .replace("%", "id, organization_id, external_id")
      .replace("%", "'x_' || lpad(n::text, 2, '0'), $1, repeat('x', $2)");
    const rows = `${statement} FROM generate_series(1, $3::integer) AS n`;
    await db.query(rows, [id, TEXT_BYTES, ROWS]);
    const first = await server.api("GET", path, { key, query: { limit: 100 } });
    expectStatus(first, 200);
    const last = `x_${ROWS}`;
    expect(first.body).toMatchObject({ data: [{ id: last }], has_more: true, next_cursor: last });
  }
});
