import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { listOf, listQuery, resourceListQuery } from "@/lib/platform/lists/list";
import { TARGET_ERRORS } from "@/lib/resources/messages/target";
import { standardOperations } from "@/lib/resources/standard-operations";
import { CreatedSchedule, Schedule, ScheduleCreate, ScheduleRun, ScheduleUpdate } from "./contract";
import { scheduleKind } from "./kind";
import { RUNS_KEPT } from "./run";
import { listRuns, runNow } from "./runs";
import { asCreated } from "./serialize";
import { creation, get, list, remove, update } from "./service";

export const scheduleOperations = {
  ...standardOperations({
    kind: scheduleKind,
    id: "Schedule",
    nouns: ["a schedule", "schedules"],
    schemas: {
      resource: Schedule,
      created: CreatedSchedule,
      query: resourceListQuery(scheduleKind.prefix),
      create: ScheduleCreate,
      update: ScheduleUpdate,
    },
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    service: { list, creation, get, update, remove },
    create: {
      description:
        "Creates the target at each time of `cron`, or every `every_seconds`. A GET of the result returns the headers `Schedule-Id` and `Schedule-Time`.",
      errors: TARGET_ERRORS,
      failures: [404],
      restored: asCreated,
    },
    update: {
      summary: "Update, pause or resume a schedule",
      description:
        "`cron` and `every_seconds` replace each other. Times missed while it is paused are not caught up on.",
      errors: TARGET_ERRORS,
    },
    remove: { description: "Keeps what its runs created." },
  }),
  run: operation("POST /api/schedules/{id}/run", {
    id: "runSchedule",
    summary: "Run a schedule now",
    description: "Even while it is paused. Its next times do not change.",
    success: { status: 200, schema: ScheduleRun },
    handle: ({ caller, params, request, commit }) =>
      runNow(caller, params.id, countedAddress(request), commit),
  }),
  listRuns: operation("GET /api/schedules/{id}/runs", {
    id: "listScheduleRuns",
    summary: "List the runs of a schedule",
    description: `The newest ${RUNS_KEPT}.`,
    query: listQuery("run"),
    success: { status: 200, schema: listOf(ScheduleRun) },
    handle: ({ caller, params, query }) => listRuns(caller, params.id, query),
  }),
};
