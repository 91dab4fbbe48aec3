import type { Pool } from "pg";
import { expect } from "playwright/test";
import type { CreatedSchedule, ScheduleRun } from "@/lib/resources/schedules/contract";
import { expectStatus } from "./expectations";
import { type Api, jsonOf } from "./http";

export type Run = ScheduleRun;

/** Creates a schedule that makes a task every minute, unless the body says otherwise. */
export async function makeSchedule(
  api: Api,
  key: string | undefined,
  body: object = {},
): Promise<CreatedSchedule> {
  const response = await api("POST", "/api/schedules", {
    key,
    body: { every_seconds: 60, target: { task: { name: "Scheduled" } }, ...body },
  });
  expectStatus(response, 201);
  return jsonOf<CreatedSchedule>(response);
}

/** Moves a schedule into the past, as if it had not been looked at for so many seconds. */
export async function rewind(db: Pool, id: string, seconds: number): Promise<void> {
  await db.query(
    `UPDATE schedules SET created_at = created_at - $2::bigint,
       checked_until = checked_until - $2::bigint, due_at = unix_now() WHERE id = $1`,
    [id, seconds],
  );
}

/** The runs of a schedule after a dispatch, oldest first. */
export async function runsAfterDispatch(
  { api, db }: { api: Api; db: Pool },
  id: string,
  key?: string,
): Promise<Run[]> {
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  // Another test's dispatch may be running it.
  const due = "SELECT FROM schedules WHERE id = $1 AND due_at <= unix_now()";
  await expect.poll(async () => (await db.query(due, [id])).rowCount).toBe(0);
  return runsOf(api, id, key);
}

export async function runsOf(api: Api, id: string, key?: string): Promise<Run[]> {
  const response = await api("GET", `/api/schedules/${id}/runs`, { key, query: { limit: 100 } });
  expectStatus(response, 200);
  return jsonOf<{ data: Run[] }>(response).data.reverse();
}
