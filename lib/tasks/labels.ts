import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { query, sql } from "@/lib/db/sql";

/** Only the newest tasks are read: an organization may have a hundred thousand. */
const TASKS_MAX = 1000;
const LABELS_MAX = 100;

/** The labels of the newest tasks of the caller's organization, most used first. */
export async function usedLabels(caller: Caller): Promise<string[]> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return [];
  const rows = await query<{ label: string }>(sql`
    SELECT label
    FROM (SELECT labels FROM tasks WHERE organization_id = ${organizationId}
          ORDER BY id DESC LIMIT ${TASKS_MAX}) AS newest, unnest(newest.labels) AS label
    GROUP BY label
    ORDER BY count(*) DESC, label
    LIMIT ${LABELS_MAX}`);
  return rows.map(({ label }) => label);
}
