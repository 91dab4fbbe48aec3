import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { join, sql } from "@/lib/platform/db/sql";
import { entityTag } from "@/lib/platform/http/conditional";
import { deliveriesOf } from "@/lib/resources/messages/deliveries";
import type { RunRow } from "./serialize";
import { findSchedule } from "./service";

/** How many runs the page of a schedule shows. */
export const RUNS_SHOWN = 20;

/** A tag that changes whenever a row of the list does, or one of its schedules runs. */
export async function scheduleListVersion(
  caller: Caller,
  { after, shown }: { after: string | undefined; shown: number },
): Promise<string> {
  const conditions = [ownedBy(organizationOf(caller))];
  if (after !== undefined) conditions.push(sql`id < ${after}`);
  const rows = await queryShown(sql`
    SELECT id, revision, due_at, last_run_at FROM schedules WHERE ${join(conditions, " AND ")}
    ORDER BY ${NEWEST_OWNED} LIMIT ${shown}`);
  return entityTag(JSON.stringify(rows));
}

/**
 * A tag that changes whenever the schedule changes or runs, or a message of its newest runs is sent.
 * Throws 404 and 403.
 */
export async function scheduleVersion(caller: Caller, id: string): Promise<string> {
  const { revision, due_at, organization_id } = await findSchedule(caller, id);
  const newest = await queryShown<Pick<RunRow, "id" | "resource_id">>(sql`
    SELECT id, resource_id FROM schedule_runs
    WHERE schedule_id = ${id} ORDER BY id DESC LIMIT ${RUNS_SHOWN}`);
  const made = newest.map(({ resource_id }) => resource_id);
  const deliveries = await deliveriesOf(organization_id, made);
  const states = made.map((resourceId) => deliveries.get(resourceId ?? ""));
  return entityTag(JSON.stringify([revision, due_at, newest, states]));
}
