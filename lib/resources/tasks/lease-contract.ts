import * as z from "zod";
import { clampedInt, objectType, reference, text } from "@/lib/platform/http/fields";
import { labels, Task } from "./contract";

const LEASE_SECONDS_MIN = 30;
const LEASE_SECONDS_MAX = 86_400;
const WAIT_SECONDS_MAX = 20;
export const LEASE_SECONDS_DEFAULT = 900;

const HOLDER = "The name of the worker that holds the task.";
const LEASE_ID = "The `lease_id` of your lease.";

export const TaskLease = z
  .object({
    object: objectType("task_lease"),
    task_id: reference("tsk", "The leased task."),
    lease_id: z.string().describe("Renews, releases and completes. Readers see it too."),
    holder: z.string().describe(HOLDER),
    fencing_token: z
      .int()
      .describe("Rises with each new lease, not with renewals: refuse writes with a lower one."),
    expires_at: z.int().describe("When it ends unless it is renewed, in Unix seconds."),
  })
  .meta({
    id: "TaskLease",
    examples: [
      {
        lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
        holder: "writer-1",
        fencing_token: 3,
        expires_at: 1_767_226_500,
      },
    ],
  });
export type TaskLease = z.infer<typeof TaskLease>;

const leaseFields = {
  holder: text({ min: 1, max: 200 }).describe(HOLDER),
  lease_seconds: z
    .int()
    .min(LEASE_SECONDS_MIN)
    .max(LEASE_SECONDS_MAX)
    .optional()
    .describe(`How long the lease lasts, in seconds. Default: ${LEASE_SECONDS_DEFAULT}.`),
};

export const LeaseTake = z
  .strictObject({
    ...leaseFields,
    lease_id: text().optional().describe("Your current lease, to renew it."),
  })
  .meta({ id: "TaskLeaseTake", examples: [{ holder: "writer-1", lease_seconds: 900 }] });
export type LeaseTake = z.infer<typeof LeaseTake>;

export const LeaseRelease = z
  .strictObject({ lease_id: text().describe(LEASE_ID) })
  .meta({ id: "TaskLeaseRelease", examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x" }] });

export const LeaseNext = z
  .strictObject({
    ...leaseFields,
    labels: labels
      .optional()
      .describe("Only a task with all of these. One labelled `done` must have `done` listed."),
    not_labels: labels.optional().describe("Only a task with none of these."),
    wait_seconds: clampedInt(0, WAIT_SECONDS_MAX)
      .optional()
      .describe("How long to wait for a task, in seconds. Default: 0."),
  })
  .meta({
    id: "TaskLeaseNext",
    examples: [{ holder: "writer-1", labels: ["docs"], wait_seconds: 20 }],
  });
export type LeaseNext = z.infer<typeof LeaseNext>;

export const TaskLeaseResult = z
  .object({
    object: objectType("task_lease_result"),
    task: Task.nullable().describe("The leased task; null if none is free."),
    lease: TaskLease.nullable().describe("Its lease; null if no task is free."),
  })
  .meta({ id: "TaskLeaseResult" });
export type TaskLeaseResult = z.infer<typeof TaskLeaseResult>;
