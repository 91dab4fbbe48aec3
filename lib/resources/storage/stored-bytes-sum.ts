import { query, queryOne, raw, type Sql, sql } from "@/lib/platform/db/sql";
import { type KindName, kinds } from "@/lib/resources/kinds";

interface Stored {
  /** Rows per statement, so that no statement takes long. */
  rows?: number;
  /** The bytes of a row, aliased `one`, beside its `external_id`. */
  own: Sql;
  /** The bytes of everything that belongs to the row of `states` with its ID, aliased `one`. */
  parts?: Sql;
  /** The rows that the parts belong to. On a distributed database they are beside the parts. */
  states?: Sql;
}

const EVENT = sql`octet_length(body) + octet_length(headers) + octet_length(query_string)`;

/** What each kind of resource stores. Small texts, such as names, and rows, such as shares, are left out. */
const STORED: Record<KindName, Stored> = {
  webhooks: {
    rows: 20,
    own: sql`octet_length(one.description)`,
    parts: sql`(SELECT sum(${EVENT} + octet_length(path)) FROM webhook_events WHERE endpoint_id = one.id)`,
    states: sql`(SELECT endpoint_id AS id FROM endpoint_state)`,
  },
  inboxes: {
    rows: 20,
    own: sql`octet_length(one.description)`,
    parts: sql`coalesce((
      SELECT sum(${EVENT} + coalesce(octet_length(last_error), 0)) FROM inbox_events WHERE inbox_id = one.id), 0)
      + coalesce((SELECT sum(size_bytes) FROM inbox_replies WHERE inbox_id = one.id), 0)`,
    states: sql`(SELECT inbox_id AS id FROM inbox_state)`,
  },
  artifacts: {
    own: sql`one.size`,
    parts: sql`(SELECT sum(size) FROM artifact_contents WHERE artifact_id = one.id)`,
  },
  messages: {
    own: sql`coalesce(octet_length(one.body), 0) + octet_length(one.headers::text) + octet_length(one.url)`,
    parts: sql`(
      SELECT sum(coalesce(octet_length(response_body), 0) + coalesce(octet_length(response_headers::text), 0))
      FROM message_attempts WHERE message_id = one.id)`,
  },
  tasks: {
    own: sql`octet_length(one.name) + coalesce(octet_length(one.description), 0)
      + octet_length(one.labels::text)`,
    parts: sql`(SELECT sum(octet_length(body)) FROM task_notes WHERE task_id = one.id)`,
  },
  questions: {
    own: sql`octet_length(one.prompt) + coalesce(octet_length(one.context), 0)
      + coalesce(octet_length(one.options), 0) + coalesce(octet_length(one.form), 0)
      + coalesce(octet_length(one.answer), 0)`,
  },
  schedules: { own: sql`octet_length(one.target)` },
};

/** The bytes that an organization stores or, for null, all public ones. Many short statements. */
export async function sumStoredBytes(owner: string | null): Promise<number> {
  const owned = owner === null ? sql`organization_id IS NULL` : sql`organization_id = ${owner}`;
  let total = 0;
  for (const { name, table } of kinds) {
    const { rows = 500, own, parts, states = raw(table) } = STORED[name];
    for (let ids = [""]; ids.length > 0; ) {
      const found: { id: string; bytes: number }[] = await query(sql`
        SELECT id, (coalesce(${own}, 0) + coalesce(octet_length(external_id), 0))::bigint AS bytes
        FROM ${raw(table)} AS one WHERE ${owned} AND id > ${ids.at(-1)}
        ORDER BY id LIMIT ${rows}::int`);
      for (const { bytes } of found) total += bytes;
      ids = found.map(({ id }) => id);
      if (!parts || ids.length === 0) continue;
      const part = await queryOne<{ bytes: number }>(sql`
        SELECT coalesce(sum(bytes), 0)::bigint AS bytes
        FROM (SELECT ${parts} AS bytes FROM ${states} AS one WHERE one.id = ANY (${ids})) AS part`);
      total += part?.bytes ?? 0;
    }
  }
  return total;
}
