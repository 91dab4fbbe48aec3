import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import { upsertOperation } from "@/lib/resources/upsert-operation";
import {
  CreatedSchedule,
  RunListQuery,
  Schedule,
  ScheduleCreate,
  ScheduleListQuery,
  ScheduleRun,
  ScheduleUpdate,
} from "./contract";
import { scheduleKind } from "./kind";
import { RUNS_KEPT } from "./run";
import { listRuns, runNow } from "./runs";
import * as schedules from "./service";

const tag = "Schedules";

export const listSchedules = operation({
  id: "listSchedules",
  method: "GET",
  path: "/api/schedules",
  tag,
  summary: "List schedules",
  scope: "api.read",
  query: ScheduleListQuery,
  success: { status: 200, schema: listOf(Schedule) },
  handle: ({ caller, query }) => schedules.list(caller, query),
});

export const createSchedule = operation({
  id: "createSchedule",
  method: "POST",
  path: "/api/schedules",
  tag,
  summary: "Create a schedule",
  description:
    "Creates its target at each time of `cron`, or every `every_seconds`, exactly once. What it creates names it in the headers `Schedule-Id` and `Schedule-Time`.",
  scope: "api.write",
  body: ScheduleCreate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  failures: [404],
  success: { status: 201, schema: CreatedSchedule },
  handle: ({ caller, body }) => schedules.creation(caller, body),
});

export const getSchedule = operation({
  id: "getSchedule",
  method: "GET",
  path: "/api/schedules/{id}",
  tag,
  summary: "Get a schedule",
  scope: "api.read",
  success: { status: 200, schema: Schedule },
  conditional: true,
  handle: ({ caller, params }) => schedules.get(caller, params.id),
});

export const updateSchedule = operation({
  id: "updateSchedule",
  method: "PATCH",
  path: "/api/schedules/{id}",
  tag,
  summary: "Update, pause or resume a schedule",
  description:
    "`cron` and `every_seconds` replace each other. Times while it is paused are not caught up.",
  scope: "api.write",
  takesClaimToken: true,
  body: ScheduleUpdate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  success: { status: 200, schema: Schedule },
  handle: ({ caller, params, body, precondition }) =>
    schedules.update(caller, params.id, body, precondition),
});

export const upsertSchedule = upsertOperation({
  id: "upsertSchedule",
  kind: scheduleKind,
  body: ScheduleCreate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  schema: Schedule,
  create: schedules.create,
  update: schedules.update,
});

export const deleteSchedule = operation({
  id: "deleteSchedule",
  method: "DELETE",
  path: "/api/schedules/{id}",
  tag,
  summary: "Delete a schedule",
  description: "Keeps what its runs created.",
  scope: "api.write",
  success: { status: 204 },
  handle: ({ caller, params, precondition }) => schedules.remove(caller, params.id, precondition),
});

export const runSchedule = operation({
  id: "runSchedule",
  method: "POST",
  path: "/api/schedules/{id}/run",
  tag,
  summary: "Run a schedule now",
  description: "Also while it is paused. Its next times do not change.",
  scope: "api.write",
  success: { status: 200, schema: ScheduleRun },
  handle: ({ caller, params, commit }) => runNow(caller, params.id, commit),
});

export const listScheduleRuns = operation({
  id: "listScheduleRuns",
  method: "GET",
  path: "/api/schedules/{id}/runs",
  tag,
  summary: "List the runs of a schedule",
  description: `The newest ${RUNS_KEPT}.`,
  scope: "api.read",
  query: RunListQuery,
  success: { status: 200, schema: listOf(ScheduleRun) },
  handle: ({ caller, params, query }) => listRuns(caller, params.id, query),
});

export const scheduleOperations = [
  listSchedules,
  createSchedule,
  getSchedule,
  updateSchedule,
  upsertSchedule,
  deleteSchedule,
  runSchedule,
  listScheduleRuns,
];
