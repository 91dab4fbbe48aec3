// node bench/peers/bare.mjs PORT DATABASE_URL: node:http and pg, one statement for each request: reads
// and creates tasks, and captures webhooks, without keys, validation and limits.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const [port, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const columns =
  "id, organization_id, name, description, priority, due_at, labels, external_id, created_at, updated_at, revision";

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const [status, result] = await handle(request, Buffer.concat(chunks));
  const body = JSON.stringify(result);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), "127.0.0.1");

async function handle(request, body) {
  if (request.url.startsWith("/api/catch/")) return [200, await capture(request, body)];
  if (request.method === "POST") return [201, await insert(JSON.parse(body.toString()))];
  return [200, await select(request.url)];
}

async function select(path) {
  const text = `SELECT ${columns} FROM tasks WHERE id = $1`;
  const values = [path.slice(path.lastIndexOf("/") + 1)];
  const { rows } = await pool.query({ name: "select", text, values });
  return rows[0] ?? null;
}

async function insert(task) {
  const text = `INSERT INTO tasks (id, organization_id, claim_token_digest, name, description, priority, due_at, labels, external_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${columns}`;
  const id = `tsk_${randomBytes(18).toString("hex")}`;
  const values = [id, null, null, task.name, null, "low", null, task.labels ?? [], null];
  const { rows } = await pool.query({ name: "insert", text, values });
  return rows[0];
}

async function capture(request, body) {
  const event_id = `wev_${Date.now().toString(36)}${randomBytes(12).toString("hex")}`;
  await pool.query({
    name: "capture",
    text: `INSERT INTO webhook_events
             (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      request.url.slice("/api/catch/".length),
      event_id,
      request.method,
      request.url,
      "",
      JSON.stringify(request.headers),
      body,
      body.length,
      request.socket.remoteAddress,
    ],
  });
  return { received: true, event_id };
}
