#!/usr/bin/env node
// The schema engine of Prisma's CLI (prisma.config.ts), as WebAssembly from npm, since the native
// one is a download. The CLI sends one JSON-RPC call per line.
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import pg from "pg";
import { register } from "tsx/esm/api";

register();
const { openSchemaEngine } = await import("./schema-engine.ts");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datasource: { type: "string" }, datamodels: { type: "string" } },
});
const { url } = JSON.parse(values.datasource ?? "{}");
const pool = new pg.Pool({ connectionString: url });

if (positionals[0] === "cli") {
  // `cli can-connect-to-database`
  await pool.query("SELECT 1").catch(({ message }) => {
    console.error(JSON.stringify({ level: "ERROR", fields: { message, error_code: "P1001" } }));
    process.exit(1);
  });
  process.exit(0);
}

const engine = await openSchemaEngine(pool);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  // The CLI has answered a `print`.
  if (!method) continue;
  const reply = await call(method, params);
  const content = reply.result?.stdout;
  if (content) send({ id: "print", method: "print", params: { content } });
  send({ id, ...reply });
}
await pool.end();

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function call(method, params) {
  try {
    return { result: (await engine[method](params)) ?? null };
  } catch ({ message, code }) {
    return { error: { code: 4466, message, data: { is_panic: false, message, error_code: code } } };
  }
}
