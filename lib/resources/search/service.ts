import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { likePattern } from "@/lib/platform/db/like";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { join, query, queryOne, sql } from "@/lib/platform/db/sql";
import { artifactOfVersion } from "@/lib/resources/artifacts/versions";
import { kinds } from "@/lib/resources/claims/kinds";
import type { ResourceLine } from "@/lib/resources/overview/newest";

/** Only the newest resources of each kind are searched. */
const SEARCHED_PER_KIND = 1000;
const RESULTS_MAX = 8;
const WORDS_MAX = 100;

/** Resources of the caller's organization whose name contains the words, newest first. */
export async function findByName(caller: Caller, words: string): Promise<ResourceLine[]> {
  const organizationId = organizationOf(caller);
  // Postgres rejects NUL.
  const wanted = words.replaceAll("\0", "").trim().slice(0, WORDS_MAX);
  if (organizationId === null || wanted === "") return [];
  const pattern = likePattern(wanted);
  const found = kinds.map(
    ({ table, title }) => sql`(SELECT * FROM (
        SELECT id, ${title} AS name, created_at FROM ${table}
        WHERE ${ownedBy(organizationId)} ORDER BY ${NEWEST_OWNED} LIMIT ${SEARCHED_PER_KIND}) AS recent
      WHERE name ILIKE ${pattern} LIMIT ${RESULTS_MAX})`,
  );
  return query<ResourceLine>(sql`
    SELECT * FROM (${join(found, " UNION ALL ")}) AS found
    ORDER BY split_part(id, '_', 2) COLLATE "C" DESC LIMIT ${RESULTS_MAX}`);
}

/** The resource that an event, attempt, share link or version belongs to. */
export async function findParent(caller: Caller, id: string): Promise<string | undefined> {
  const organizationId = organizationOf(caller);
  const statement = PARENTS[id.split("_")[0] ?? ""];
  if (organizationId === null || !statement || !/^\w+$/.test(id)) return undefined;
  const wanted = id.startsWith("ver_") ? artifactOfVersion(id) : id;
  const found = await queryOne<{ parent: string }>(sql`
    ${statement} ${wanted} AND parent.organization_id = ${organizationId} LIMIT 1`);
  return found?.parent;
}

const PARENTS: Record<string, ReturnType<typeof sql>> = {
  wev: sql`SELECT parent.id AS parent FROM webhook_endpoints AS parent
    JOIN webhook_events AS one ON one.endpoint_id = parent.id AND one.id > parent.gone_up_to WHERE one.id =`,
  iev: sql`SELECT parent.id AS parent FROM inboxes AS parent
    JOIN inbox_events AS one ON one.inbox_id = parent.id WHERE one.id =`,
  att: sql`SELECT parent.id AS parent FROM message_attempts AS one
    JOIN scheduled_messages AS parent ON parent.id = one.message_id WHERE one.id =`,
  run: sql`SELECT parent.id AS parent FROM schedule_runs AS one
    JOIN schedules AS parent ON parent.id = one.schedule_id WHERE one.id =`,
  shr: sql`SELECT parent.id AS parent FROM artifact_shares AS one
    JOIN artifacts AS parent ON parent.id = one.artifact_id WHERE one.id =`,
  ver: sql`SELECT parent.id AS parent FROM artifacts AS parent WHERE parent.id =`,
};
