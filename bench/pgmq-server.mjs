// The yardstick of bench/inbox.ts: node:http before pgmq's SQL functions on the same Postgres.
import { createServer } from "node:http";
import pg from "pg";

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString() || "{}";
  const body = JSON.stringify(await answer(request.url, text));
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), "127.0.0.1");

async function answer(path, text) {
  if (path === "/send")
    return query("SELECT send AS id FROM pgmq.send('bench', $1::jsonb)", [text]);
  const input = JSON.parse(text);
  if (path === "/receive") {
    return query("SELECT msg_id AS id, * FROM pgmq.read('bench', 60, $1)", [input.limit]);
  }
  if (path !== "/ack") return {};
  return query("SELECT * FROM pgmq.delete('bench', $1::bigint[])", [input.ids]);
}

async function query(sql, values) {
  const { rows } = await pool.query({ name: sql, text: sql, values });
  return { data: rows };
}
