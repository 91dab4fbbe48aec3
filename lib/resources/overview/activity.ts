import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { join, sql } from "@/lib/platform/db/sql";
import { actorOfChange } from "@/lib/resources/changes/actor-of-change";
import { resources } from "@/lib/resources/registry";

/** The changes that are read, and the lines made of them. */
const CHANGES_MAX = 60;
const LINES_MAX = 3;

type Change = Row<"Change", "kind" | "action" | "resource_id" | "created_at"> & {
  /** The key's name, the person's email or the schedule; null for the service, or if the caller may not see it. */
  actor_name: string | null;
  /** The resource's title; null once it is deleted. */
  title: string | null;
};

/** One change, or several of one kind in a row by the same actor. */
export interface Activity extends Change {
  /** How many resources changed. The other members describe the newest change. */
  count: number;
  /** Whether there may be more of them, which are not read. */
  isCut: boolean;
}

/**
 * What happened last in the caller's organization. Unlike the feed, it may miss a change for a
 * moment.
 */
export async function newestActivity(caller: Caller): Promise<Activity[]> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return [];
  const actor = actorOfChange(caller, sql`newest`);
  const titles = resources.map(
    ({ table, title }) => sql`SELECT ${title} AS title FROM ${table}
      WHERE id = newest.resource_id AND organization_id = newest.organization_id`,
  );
  // (d) Joins the names of the actors and of the resources.
  const changes = await queryShown<Change>(sql`
    SELECT newest.kind, newest.action, newest.resource_id, newest.created_at,
           ${actor.name} AS actor_name, named.title
    FROM (SELECT * FROM changes WHERE organization_id = ${organizationId}
          ORDER BY xid DESC, id DESC LIMIT ${CHANGES_MAX}) AS newest
    ${actor.joins}
    LEFT JOIN LATERAL (${join(titles, " UNION ALL ")} LIMIT 1) AS named ON true
    ORDER BY newest.xid DESC, newest.id DESC`);
  return inGroups(changes).slice(0, LINES_MAX);
}

/** Joins neighbours that differ only in their resource. */
function inGroups(changes: Change[]): Activity[] {
  const groups: Activity[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const last = groups.at(-1);
    const isSame =
      last?.kind === change.kind &&
      last.action === change.action &&
      last.actor_name === change.actor_name;
    if (!isSame) {
      seen.clear();
      groups.push({ ...change, count: 1, isCut: false });
    } else if (!seen.has(change.resource_id)) last.count += 1;
    seen.add(change.resource_id);
  }
  const oldest = groups.at(-1);
  if (oldest) oldest.isCut = changes.length === CHANGES_MAX;
  return groups;
}
