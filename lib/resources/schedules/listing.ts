import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { join, sql } from "@/lib/platform/db/sql";
import { entityTag } from "@/lib/platform/http/conditional";
import { findSchedule } from "./service";

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

/** A tag that changes whenever the schedule changes or runs. Throws 404 and 403. */
export async function scheduleVersion(caller: Caller, id: string): Promise<string> {
  const { revision, due_at } = await findSchedule(caller, id);
  const newest = await queryShown(sql`
    SELECT id FROM schedule_runs WHERE schedule_id = ${id} ORDER BY id DESC LIMIT 1`);
  return entityTag(JSON.stringify([revision, due_at, newest]));
}
