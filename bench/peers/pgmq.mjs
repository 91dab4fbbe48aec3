// node bench/peers/pgmq.mjs PORT DATABASE_URL PGMQ_SQL
import { readFileSync } from "node:fs";
import pg from "pg";
import { serveQueue } from "./queue-server.mjs";

const [port, connectionString, file] = process.argv.slice(2);
const NAME_LENGTH_MAX = 63;
const pool = new pg.Pool({ connectionString, max: 10 });
await pool.query("CREATE SCHEMA pgmq");
await pool.query(readFileSync(file, "utf8"));
// The file is written for CREATE EXTENSION; without one these tables need no registration.
await pool.query(`CREATE OR REPLACE FUNCTION pgmq._belongs_to_pgmq(table_name TEXT)
  RETURNS BOOLEAN LANGUAGE SQL AS 'SELECT true'`);
await pool.query("SELECT pgmq.create('bench')");

serveQueue(port, {
  send: (data) => query("SELECT send FROM pgmq.send('bench', $1::jsonb)", [data]),
  fill: ({ count, data }) =>
    query(
      "SELECT count(*) FROM pgmq.send_batch('bench', array_fill($1::jsonb, ARRAY[$2::integer]))",
      [data, count],
    ),
  receive: ({ limit }) => query("SELECT msg_id AS id, * FROM pgmq.read('bench', 60, $1)", [limit]),
  ack: ({ ids }) => query("SELECT * FROM pgmq.delete('bench', $1::bigint[])", [ids]),
  purge: () => query("SELECT pgmq.purge_queue('bench')", []),
});

async function query(text, values) {
  const { rows } = await pool.query({ name: text.slice(0, NAME_LENGTH_MAX), text, values });
  return rows;
}
