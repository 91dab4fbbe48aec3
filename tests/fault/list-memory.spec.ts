import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { openStream } from "../support/mcp-events";
import { waitingRequests } from "../support/metrics";
import { pause } from "../support/servers";

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

test("Long polls and streams that wait for more resources than fit in memory keep none of them", async ({
  db,
  organization: { id, key },
  start,
}) => {
  // Kept, they would take 256 MB.
  const server = await start({ ...QUIET, NODE_OPTIONS: "--max-old-space-size=128" });
  const columns = "id, organization_id, external_id";
  const values =
    "$1::text || n, $2, repeat('x', $3) FROM generate_series(1, $4::integer) AS n RETURNING id";
  const make = async (prefix: string, insert: string): Promise<string[]> => {
    const statement = insert.replace("%", columns).replace("%", values);
    const given = [prefix, id, 4_000_000, ROWS];
    const { rows } = await db.query<{ id: string }>(statement, given);
    return rows.map((row) => row.id);
  };
  const messages = await make(
    "msg_",
    `INSERT INTO scheduled_messages (url, host, method, headers, scheduled_at, status, due_at, %)
     SELECT ${MESSAGE}, 4000000000, %`,
  );
  const questions = await make(
    "qst_",
    `INSERT INTO questions (prompt, kind, answer_token_digest, expires_at, %)
     SELECT 'long', 'text', '', 4000000000, %`,
  );
  const early: number[] = [];
  let over = 0;
  const poll = async (path: string) => {
    const begun = performance.now();
    void server
      .api("GET", path, { key, query: { wait: 25 } })
      // Many large answers at the end of the wait may be refused.
      .then(({ status }) => performance.now() - begun < 24_000 && early.push(status))
      .catch(() => {}) // the server ends before
      .finally(() => {
        over += 1;
      });
  };
  const stream = async (name: string, args: object) => {
    const asked = { name, arguments: args, cursor: "end_0" };
    expect((await openStream(server.baseUrl, asked, { key })).refusal).toBeUndefined();
  };
  const waits = [
    ...messages.map((one) => () => poll(`/api/messages/${one}`)),
    ...questions.map((one) => () => poll(`/api/questions/${one}`)),
    ...messages.map((one) => () => stream("message.ended", { message_id: one })),
    ...questions.map((one) => () => stream("question.answered", { question_id: one })),
  ];
  const arrived = async () =>
    (await waitingRequests(server.api, "poll")) +
    (await waitingRequests(server.api, "stream")) +
    over;
  for (let begun = 4; waits.length > 0; begun += 4) {
    await Promise.all(waits.splice(0, 4).map((wait) => wait()));
    await expect.poll(arrived).toBeGreaterThanOrEqual(begun);
    // Until they have read their resources and wait.
    await pause(200);
  }
  expectStatus(await server.api("GET", "/livez"), 200);
  expect(early).toEqual([]);
});
