import { columns, type RowOf } from "@/lib/platform/db/columns";
import { toJson } from "@/lib/platform/http/json-text";
import { HttpResponse } from "@/lib/platform/http/response";
import { resourceTag } from "./version";

/**
 * The columns that name the schedule which created a resource, as readers see it (`shownIdOf`), and
 * the run's nominal time; null for other resources.
 */
export const RUN_COLUMNS = columns("Task", "schedule_id, schedule_time");

/** The run columns of a task, an inbox event or a message. */
export type RunColumns = RowOf<typeof RUN_COLUMNS>;

/** The headers that name a resource's schedule and nominal time. Empty without a schedule. */
export function runHeaders({ schedule_id, schedule_time }: RunColumns): Record<string, string> {
  if (schedule_id === null) return {};
  return { "Schedule-Id": schedule_id, "Schedule-Time": String(schedule_time) };
}

/** The response to a single read: the resource, with the headers of the run that created it. */
export function readOf<Resource>(resource: Resource, run: RunColumns): Resource | HttpResponse {
  if (run.schedule_id === null) return resource;
  const json = toJson(resource);
  const headers = { "Content-Type": "application/json", ETag: resourceTag(resource, json) };
  return new HttpResponse(200, { ...headers, ...runHeaders(run) }, json);
}
