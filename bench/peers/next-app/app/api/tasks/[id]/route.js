// An empty Next app: one statement for each request, without keys and limits.
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const text = "SELECT * FROM tasks WHERE id = $1";

export async function GET(_request, { params }) {
  const { id } = await params;
  const { rows } = await pool.query({ name: "select", text, values: [id] });
  return Response.json(rows[0] ?? null);
}
