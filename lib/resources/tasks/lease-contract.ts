import * as z from "zod";
import { withAliases } from "@/lib/platform/http/aliases";
import { clampedInt, text } from "@/lib/platform/http/fields";
import { labels, Task } from "./contract";

const LEASE_SECONDS_MIN = 30;
const LEASE_SECONDS_MAX = 86_400;
const WAIT_SECONDS_MAX = 20;
export const LEASE_SECONDS_DEFAULT = 900;

export const TaskLease = z
  .object({
    object: z.literal("task_lease"),
    task_id: z.string(),
    lease_id: z.string().describe("Needed to renew or release the lease"),
    holder: z.string().describe("The worker that holds the task"),
    fencing_token: z.int().describe("Increases with each lease; unchanged by renewal"),
    expires_at: z.int().describe("Unix seconds"),
  })
  .meta({
    id: "TaskLease",
    examples: [
      {
        object: "task_lease",
        task_id: "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
        lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
        holder: "writer-1",
        fencing_token: 3,
        expires_at: 1_767_226_500,
      },
    ],
  });
export type TaskLease = z.infer<typeof TaskLease>;

const leaseFields = {
  holder: text({ min: 1, max: 200 }),
  lease_seconds: z
    .int()
    .min(LEASE_SECONDS_MIN)
    .max(LEASE_SECONDS_MAX)
    .optional()
    .describe(`Duration of the lease; default ${LEASE_SECONDS_DEFAULT}`),
};

export const LeaseTake = withAliases(
  z
    .strictObject({
      ...leaseFields,
      lease_id: text().optional().describe("Your current lease, to renew it"),
    })
    .meta({ id: "TaskLeaseTake", examples: [{ holder: "writer-1", lease_seconds: 900 }] }),
  { consumer: "holder" },
);
export type LeaseTake = z.infer<typeof LeaseTake>;

export const LeaseRelease = z
  .strictObject({ lease_id: text() })
  .meta({ id: "TaskLeaseRelease", examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x" }] });

const leaseNext = z
  .strictObject({
    ...leaseFields,
    labels: labels
      .optional()
      .describe("The task has all of them. `done` tasks are excluded unless listed."),
    not_labels: labels.optional().describe("The task has none of them."),
    wait_seconds: clampedInt(0, WAIT_SECONDS_MAX)
      .optional()
      .describe("How long to wait for a task; default 0"),
  })
  .meta({
    id: "TaskLeaseNext",
    examples: [{ holder: "writer-1", labels: ["docs"], wait_seconds: 20 }],
  });
export const LeaseNext = withAliases(leaseNext, {
  consumer: "holder",
  wait: "wait_seconds",
  label: "labels",
  not_label: "not_labels",
});
export type LeaseNext = z.infer<typeof LeaseNext>;

export const TaskLeaseResult = z
  .object({
    object: z.literal("task_lease_result"),
    task: Task.nullable(),
    lease: TaskLease.nullable(),
  })
  .meta({ id: "TaskLeaseResult" });
export type TaskLeaseResult = z.infer<typeof TaskLeaseResult>;
