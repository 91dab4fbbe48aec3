import type { Caller } from "@/lib/platform/caller";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { entityTag } from "@/lib/platform/http/conditional";
import { type Range, shownRows, versionOf } from "@/lib/resources/list-version";
import { deliveriesOf } from "@/lib/resources/messages/deliveries";
import type { RunRow } from "./serialize";
import { findSchedule } from "./service";

/** How many runs the page of a schedule shows. */
export const RUNS_SHOWN = 20;

/** A tag that changes whenever a row of the list does, or one of its schedules runs. */
export function scheduleListVersion(caller: Caller, range: Range): Promise<string> {
  const columns = sql`id, revision, due_at, last_run_at FROM schedules`;
  return versionOf(shownRows(caller, range, columns));
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
