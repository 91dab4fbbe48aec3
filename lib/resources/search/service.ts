import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { likePattern } from "@/lib/platform/db/like";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { join, raw, type Sql, sql } from "@/lib/platform/db/sql";
import { artifactOfVersion } from "@/lib/resources/artifacts/versions";
import { type Kind, kinds } from "@/lib/resources/kinds";
import { resources } from "@/lib/resources/registry";

/** Only the newest resources of each kind are searched. */
const SEARCHED_PER_KIND = 1000;
const RESULTS_MAX = 8;
const WORDS_MAX = 100;

/** A resource of any kind, for a list. */
interface ResourceLine {
  id: string;
  name: string;
  created_at: number;
}

/** The caller's organization's resources whose name contains the words, newest first. */
export async function findByName(caller: Caller, words: string): Promise<ResourceLine[]> {
  const organizationId = organizationOf(caller);
  // Postgres rejects NUL.
  const wanted = words.replaceAll("\0", "").trim().slice(0, WORDS_MAX);
  if (organizationId === null || wanted === "") return [];
  const pattern = likePattern(wanted);
  const found = resources.map(
    ({ table, title }) => sql`(SELECT * FROM (
        SELECT id, ${title} AS name, created_at FROM ${table}
        WHERE ${ownedBy(organizationId)} ORDER BY ${NEWEST_OWNED} LIMIT ${SEARCHED_PER_KIND}) AS recent
      WHERE name ILIKE ${pattern} LIMIT ${RESULTS_MAX})`,
  );
  return queryShown<ResourceLine>(sql`
    SELECT * FROM (${join(found, " UNION ALL ")}) AS found
    ORDER BY split_part(id, '_', 2) COLLATE "C" DESC LIMIT ${RESULTS_MAX}`);
}

/** The resource that an event, attempt, run, share link or version belongs to. */
export async function findParent(caller: Caller, id: string): Promise<string | undefined> {
  const organizationId = organizationOf(caller);
  if (organizationId === null || !/^\w+$/.test(id)) return undefined;
  const [prefix] = id.split("_");
  for (const { parts, state, table } of kinds) {
    const part = parts.find((one) => one.prefix !== undefined && one.prefix === prefix);
    if (!part) continue;
    const found = await queryShownOne<{ id: string }>(sql`
      SELECT parent.id FROM ${raw(table)} AS parent ${isPart(part, state, id)}
        AND parent.organization_id = ${organizationId} LIMIT 1`);
    return found?.id;
  }
  return undefined;
}

function isPart(
  { table, parent, key }: Kind["parts"][number],
  state: Kind["state"],
  id: string,
): Sql {
  // A version has no ID of its own in its table.
  if (key !== "id") return sql`WHERE parent.id = ${artifactOfVersion(id)}`;
  const isShown = state?.goneUpTo
    ? sql`one.id > (SELECT ${raw(state.goneUpTo)} FROM ${raw(state.table)}
                    WHERE ${raw(state.parent)} = parent.id)`
    : sql`true`;
  return sql`JOIN ${raw(table)} AS one ON one.${raw(parent)} = parent.id AND ${isShown}
    WHERE one.id = ${id}`;
}
