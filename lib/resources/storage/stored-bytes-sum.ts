import { query, queryOne, raw, type Sql, sql } from "@/lib/platform/db/sql";
import { type KindName, kinds } from "@/lib/resources/kinds";

interface Stored {
  /** Rows per statement, so that no statement takes long. */
  rows?: number;
  /** The bytes of a row, aliased `one`, and of everything that belongs to it. */
  bytes: Sql;
  /** The rows whose bytes are counted, beside those of their parts on a distributed database. */
  states?: Sql;
}

const EVENT = sql`octet_length(body) + octet_length(headers) + octet_length(query_string)`;

/** What each kind of resource stores. Small rows, such as shares, are left out. */
const STORED: Record<KindName, Stored> = {
  webhooks: {
    rows: 20,
    bytes: sql`(SELECT sum(${EVENT} + octet_length(path)) FROM webhook_events WHERE endpoint_id = one.id)`,
    states: sql`(SELECT endpoint_id AS id FROM endpoint_state)`,
  },
  inboxes: {
    rows: 20,
    bytes: sql`coalesce((
      SELECT sum(${EVENT} + coalesce(octet_length(last_error), 0)) FROM inbox_events WHERE inbox_id = one.id), 0)
      + coalesce((SELECT sum(size_bytes) FROM inbox_replies WHERE inbox_id = one.id), 0)`,
    states: sql`(SELECT inbox_id AS id FROM inbox_state)`,
  },
  artifacts: {
    bytes: sql`one.size + coalesce((SELECT sum(size) FROM artifact_contents WHERE artifact_id = one.id), 0)`,
  },
  messages: {
    bytes: sql`coalesce(octet_length(one.body), 0) + coalesce((
      SELECT sum(octet_length(response_body)) FROM message_attempts WHERE message_id = one.id), 0)`,
  },
  tasks: {
    bytes: sql`octet_length(one.name) + coalesce(octet_length(one.description), 0)
      + coalesce((SELECT sum(octet_length(body)) FROM task_notes WHERE task_id = one.id), 0)`,
  },
  questions: {
    bytes: sql`octet_length(one.prompt) + coalesce(octet_length(one.context), 0)
      + coalesce(octet_length(one.options), 0) + coalesce(octet_length(one.form), 0)
      + coalesce(octet_length(one.answer), 0)`,
  },
  schedules: { bytes: sql`octet_length(one.target::text)` },
};

/** The bytes that an organization stores or, for null, all public ones. Many short statements. */
export async function sumStoredBytes(owner: string | null): Promise<number> {
  const owned = owner === null ? sql`organization_id IS NULL` : sql`organization_id = ${owner}`;
  let total = 0;
  for (const { name, table } of kinds) {
    const { rows = 500, bytes, states = raw(table) } = STORED[name];
    for (let ids = [""]; ids.length > 0; ) {
      const found: { id: string }[] = await query(
        sql`SELECT id FROM ${raw(table)} WHERE ${owned} AND id > ${ids.at(-1)} ORDER BY id LIMIT ${rows}::int`,
      );
      ids = found.map(({ id }) => id);
      const part = await queryOne<{ bytes: number }>(sql`
        SELECT coalesce(sum(bytes), 0)::bigint AS bytes
        FROM (SELECT ${bytes} AS bytes FROM ${states} AS one WHERE one.id = ANY (${ids})) AS part`);
      total += part?.bytes ?? 0;
    }
  }
  return total;
}
