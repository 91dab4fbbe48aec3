// The yardstick: node:http and pg with the statements of the service.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });
const columns =
  "id, organization_id, name, description, priority, due_at, labels, external_id, created_at, updated_at, revision";

createServer(async (request, response) => {
  const { rows } =
    request.method === "POST" ? await insert(await bodyOf(request)) : await select(request.url);
  const body = JSON.stringify(rows[0] ?? null);
  response.writeHead(request.method === "POST" ? 201 : 200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), "127.0.0.1");

function select(path) {
  const text = `SELECT ${columns} FROM tasks WHERE id = $1`;
  return pool.query({ name: "select", text, values: [path.slice(path.lastIndexOf("/") + 1)] });
}

function insert(task) {
  const text = `INSERT INTO tasks (id, organization_id, claim_token_digest, name, description, priority, due_at, labels, external_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${columns}`;
  const id = `tsk_${randomBytes(18).toString("hex")}`;
  const values = [id, null, null, task.name, null, "low", null, task.labels ?? [], null];
  return pool.query({ name: "insert", text, values });
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
