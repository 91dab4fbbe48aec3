import { organizationsAfter } from "@/lib/identity/organizations/unclaimed";
import { bytesOf, query, queryOne, raw, type Sql, sql } from "@/lib/platform/db/sql";
import { type KindName, kinds } from "@/lib/resources/kinds";
import { unclaimedOwners } from "./public-owners";

/** What a resource counts for beside its texts: its rows and their entries in indexes, measured with short names. */
export const RESOURCE_BYTES = 1000;
/** The same for a row that belongs to a resource, such as an event, a note or an attempt. */
export const PART_BYTES = 300;
/** The number of organizations that are read at once. */
const PAGE = 1000;

interface Stored {
  /** Rows per statement, so that no statement takes long. */
  rows?: number;
  /** The bytes of a row, aliased `one`, beside `RESOURCE_BYTES` and its `external_id`. */
  own: Sql;
  /** The bytes of everything that belongs to the row of `states` with its ID, aliased `one`. */
  parts?: Sql;
  /** The rows that the parts belong to. On a distributed database they are beside the parts. */
  states?: Sql;
}

const EVENT = ["body", "headers", "query_string"];

/** The bytes of the rows of `table` that belong to `one`, with these texts. */
function partsOf(table: string, parent: string, texts: readonly string[], more = sql`0`): Sql {
  return sql`coalesce((
    SELECT sum(${PART_BYTES}::bigint + ${bytesOf(texts)} + ${more})
    FROM ${raw(table)} WHERE ${raw(parent)} = one.id), 0)`;
}

/** What each kind of resource stores. Left out is what has few rows for each, such as a forward. */
const STORED: Record<KindName, Stored> = {
  webhooks: {
    rows: 20,
    own: sql`${bytesOf(["name", "description"])}
      + ${partsOf("webhook_replays", "endpoint_id", ["url", "q", "header"])}`,
    parts: partsOf("webhook_events", "endpoint_id", [...EVENT, "path"]),
    states: sql`(SELECT endpoint_id AS id FROM endpoint_state)`,
  },
  inboxes: {
    rows: 20,
    own: bytesOf(["name", "description"]),
    parts: sql`${partsOf("inbox_events", "inbox_id", [...EVENT, "last_error"])}
      + ${partsOf("inbox_replies", "inbox_id", ["body"])}`,
    states: sql`(SELECT inbox_id AS id FROM inbox_state)`,
  },
  artifacts: {
    own: sql`octet_length(name) + one.size`,
    parts: sql`${partsOf("artifact_versions", "artifact_id", ["name"])}
      + ${partsOf("artifact_contents", "artifact_id", [], sql`size`)}
      + ${partsOf("artifact_shares", "artifact_id", [])}`,
  },
  messages: {
    own: sql`${bytesOf(["url", "body", "last_error"])} + octet_length(headers::text)`,
    parts: partsOf(
      "message_attempts",
      "message_id",
      ["response_body", "error"],
      sql`coalesce(octet_length(response_headers::text), 0)`,
    ),
  },
  tasks: {
    own: sql`${bytesOf(["name", "description"])} + octet_length(labels::text)
      + ${PART_BYTES}::int * cardinality(labels)`,
    parts: sql`${partsOf("task_notes", "task_id", ["author", "body"])}
      + ${partsOf("task_blockers", "task_id", [])}`,
  },
  questions: { own: bytesOf(["prompt", "context", "options", "form", "answer", "reply_to"]) },
  schedules: {
    own: bytesOf(["name", "target", "cron", "timezone"]),
    parts: partsOf("schedule_runs", "schedule_id", []),
  },
};

/**
 * The bytes that an organization stores or, for null, those of all public resources and of organizations that are
 * unclaimed. Many short statements.
 */
export async function sumStoredBytes(owner: string | null): Promise<number> {
  let total = await sumOf(owner);
  let page = owner === null ? await organizationsAfter("", PAGE) : [];
  for (let last = page.at(-1); last; last = page.at(-1)) {
    for (const { id } of await unclaimedOwners(page)) total += await sumOf(id);
    page = await organizationsAfter(last.id, PAGE);
  }
  return total;
}

async function sumOf(owner: string | null): Promise<number> {
  const owned = owner === null ? sql`organization_id IS NULL` : sql`organization_id = ${owner}`;
  let total = 0;
  for (const { name, table } of kinds) {
    const { rows = 500, own, parts, states = raw(table) } = STORED[name];
    for (let ids = [""]; ids.length > 0; ) {
      const found: { id: string; bytes: number }[] = await query(sql`
        SELECT id, (${RESOURCE_BYTES}::int + ${own} + coalesce(octet_length(external_id), 0))::bigint AS bytes
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
