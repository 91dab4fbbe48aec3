import * as z from "zod";
import {
  created,
  createdAt,
  externalId,
  idOf,
  NAME,
  objectType,
  reference,
  resourceFields,
  text,
  timeOrNull,
  UNIX_SECONDS,
  unixSeconds,
} from "@/lib/platform/http/fields";
import { TTL_SECONDS_MAX, TTL_SECONDS_MIN } from "@/lib/resources/inboxes/contract";
import { DELAY, DELAY_SECONDS_MAX, TTL } from "@/lib/resources/inboxes/events/contract";
import { MessageCreate } from "@/lib/resources/messages/contract";
import { TaskCreate } from "@/lib/resources/tasks/contract";
import { scheduleKind } from "./kind";
import { cronProblem, isTimezone, TIME_MAX } from "./timing";

const EVERY_SECONDS_MIN = 60;
/** A run later than this counts as missed, and `catch_up` decides what to do. */
export const MISSED_AFTER_SECONDS = 300;
const EVERY_SECONDS_MAX = 31_622_400;
/** The number of scheduled runs of a schedule without an owner. Then it waits for a claim. */
export const PUBLIC_RUNS_MAX = 100;
const CRON_CHARACTERS_MAX = 200;
export const NEXT_RUNS = 5;
const catchUps = ["skip", "once"] as const;

const EventTarget = z.strictObject({
  inbox_id: text({ max: 100 }).describe(
    "The inbox that gets an event. It must have the schedule's owner.",
  ),
  body: text({ max: 1_000_000 }).optional().describe("The event's body. Default: empty."),
  content_type: text({ min: 1, max: 200 })
    .regex(/^[\x20-\x7e]*$/, "must be printable ASCII")
    .optional()
    .describe(
      "Its `Content-Type`. Default: `application/json` if the body is JSON, else `text/plain`.",
    ),
  delay_seconds: z.int().min(0).max(DELAY_SECONDS_MAX).optional().describe(DELAY),
  ttl_seconds: z.int().min(TTL_SECONDS_MIN).max(TTL_SECONDS_MAX).optional().describe(TTL),
});
export type EventTarget = z.infer<typeof EventTarget>;

export const ScheduleTarget = z
  .strictObject({
    message: MessageCreate.optional().describe(
      "A message, without `scheduled_at`: each run has its time.",
    ),
    inbox_event: EventTarget.optional().describe("An event of an inbox."),
    task: TaskCreate.optional().describe("A task."),
  })
  .check(({ value, issues }) => {
    const given = Object.values(value).filter((target) => target !== undefined);
    if (given.length !== 1) {
      const message = "must have exactly one of message, inbox_event and task";
      issues.push({ code: "custom", message, input: value });
    }
    if (value.message?.scheduled_at !== undefined) {
      const message = "must be omitted: each run has its own time";
      issues.push({ code: "custom", path: ["message", "scheduled_at"], message, input: value });
    }
  })
  .meta({ id: "ScheduleTarget", examples: [{ task: { name: "Write the daily report" } }] });
export type ScheduleTarget = z.infer<typeof ScheduleTarget>;

const CRON =
  "Runs at these times: minute, hour, day, month and weekday. Null with `every_seconds`.";
const TIMEZONE = "The IANA time zone of `cron`.";
const EVERY = "Runs at this interval, in seconds. Null with `cron`.";
const STARTS = `No run is earlier, in ${UNIX_SECONDS}; null for no limit.`;
const ENDS = `No run is at this time or later, in ${UNIX_SECONDS}; null for no limit.`;
const PAUSED = "Whether nothing runs for now.";
const CATCH_UP = `What happens to times missed by over ${MISSED_AFTER_SECONDS} seconds. \`once\`: one run for all.`;

export const Schedule = z
  .object({
    id: idOf(scheduleKind.prefix),
    object: objectType("schedule"),
    name: z.string().nullable().describe(NAME),
    cron: z.string().nullable().describe(CRON),
    timezone: z.string().nullable().describe(TIMEZONE),
    every_seconds: z.int().nullable().describe(EVERY),
    starts_at: z.int().nullable().describe(STARTS),
    ends_at: z.int().nullable().describe(ENDS),
    paused: z.boolean().describe(PAUSED),
    catch_up: z.enum(catchUps).describe(CATCH_UP),
    target: z
      .record(z.string(), z.unknown())
      .describe("What each run creates. A read-only key sees credentials as `[redacted]`."),
    next_runs: z.array(z.int()).describe(`Its next times, up to ${NEXT_RUNS}, in Unix seconds.`),
    last_run_at: timeOrNull(
      "The nominal time of its last run, in Unix seconds; null before the first.",
    ),
    ...resourceFields,
  })
  .meta({
    id: "Schedule",
    examples: [
      {
        name: "Daily report",
        cron: "0 9 * * MON-FRI",
        timezone: "Europe/Berlin",
        target: { task: { name: "Write the daily report" } },
        next_runs: [1_767_254_400, 1_767_340_800, 1_767_600_000, 1_767_686_400, 1_767_772_800],
      },
    ],
  });
export type Schedule = z.infer<typeof Schedule>;

export const CreatedSchedule = created(Schedule, "CreatedSchedule", scheduleKind.name);
export type CreatedSchedule = z.infer<typeof CreatedSchedule>;

const time = () => unixSeconds().min(0).max(TIME_MAX).nullable().optional();

export const ScheduleCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }).nullable().optional().describe(NAME),
    cron: text({ max: CRON_CHARACTERS_MAX })
      .check((context) => {
        if (context.value.length > CRON_CHARACTERS_MAX) return;
        const problem = cronProblem(context.value);
        if (problem)
          context.issues.push({ code: "custom", message: problem, input: context.value });
      })
      .nullable()
      .optional()
      .describe(CRON),
    timezone: text({ max: 100 })
      .refine(isTimezone, "must be the name of an IANA time zone, such as Europe/Berlin")
      .nullable()
      .optional()
      .describe(`${TIMEZONE} Default: \`UTC\`.`),
    every_seconds: z
      .int()
      .min(EVERY_SECONDS_MIN)
      .max(EVERY_SECONDS_MAX)
      .nullable()
      .optional()
      .describe(EVERY),
    starts_at: time().describe(STARTS),
    ends_at: time().describe(ENDS),
    paused: z.boolean().optional().describe(`${PAUSED} Default: false.`),
    catch_up: z.enum(catchUps).optional().describe(`${CATCH_UP} Default: \`skip\`.`),
    target: ScheduleTarget.describe("What each run creates: exactly one of the members."),
    external_id: externalId.optional(),
  })
  .meta({
    id: "ScheduleCreate",
    examples: [{ name: "Daily report", cron: "0 9 * * MON-FRI", timezone: "Europe/Berlin" }],
  });
export type ScheduleCreate = z.infer<typeof ScheduleCreate>;

export const ScheduleUpdate = ScheduleCreate.partial().meta({
  id: "ScheduleUpdate",
  examples: [{ paused: true }],
});
export type ScheduleUpdate = z.infer<typeof ScheduleUpdate>;

const reasons = [
  "inbox_full",
  "inbox_deleted",
  "other_owner",
  "forbidden",
  "public_limit",
  "storage_full",
  "internal_error",
] as const;
export type RunFailure = (typeof reasons)[number];

export const ScheduleRun = z
  .object({
    id: idOf("run"),
    object: objectType("schedule_run"),
    schedule_id: reference("sch", "The schedule that ran."),
    scheduled_for: z.int().describe("The time it is for, in Unix seconds."),
    manual: z.boolean().describe("Whether a caller asked for it."),
    status: z.enum(["created", "failed"]).describe("Whether it created a resource."),
    resource_id: z
      .string()
      .nullable()
      .describe("The message, inbox event or task that it created; null if it failed."),
    inbox_id: z.string().nullable().describe("The inbox of the inbox event, if it created one."),
    reason: z.enum(reasons).nullable().describe("Why it failed, or null."),
    created_at: createdAt,
  })
  .meta({
    id: "ScheduleRun",
    examples: [
      {
        scheduled_for: 1_767_254_400,
        resource_id: "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
        created_at: 1_767_254_402,
      },
    ],
  });
export type ScheduleRun = z.infer<typeof ScheduleRun>;
