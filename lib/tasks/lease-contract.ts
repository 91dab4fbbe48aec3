import { z } from "zod";
import { withAliases } from "@/lib/http/aliases";
import { clampedInt, text } from "@/lib/http/fields";
import { labels, Task } from "./contract";

const LEASE_SECONDS_MIN = 30;
const LEASE_SECONDS_MAX = 86_400;
const WAIT_SECONDS_MAX = 20;
export const LEASE_SECONDS_DEFAULT = 900;

export const TaskLease = z.object({
  object: z.literal("task_lease"),
  task_id: z.string(),
  lease_id: z.string().describe("Renews and releases this lease. Begins with lse_"),
  holder: z.string().describe("Who holds the task, by its own word"),
  fencing_token: z
    .int()
    .describe("Larger than that of every earlier lease of this task; a renewal keeps it"),
  expires_at: z.int().describe("Unix seconds; from then on the task is free"),
});
export type TaskLease = z.infer<typeof TaskLease>;

const leaseFields = {
  holder: text({ min: 1, max: 200 }).describe("Your name, for others"),
  lease_seconds: z
    .int()
    .min(LEASE_SECONDS_MIN)
    .max(LEASE_SECONDS_MAX)
    .optional()
    .describe(`How long the task is yours from now on; ${LEASE_SECONDS_DEFAULT}`),
};

export const LeaseTake = withAliases(
  z.strictObject({
    ...leaseFields,
    lease_id: text().optional().describe("That of your lease, to renew it"),
  }),
  { consumer: "holder" },
);
export type LeaseTake = z.infer<typeof LeaseTake>;

export const LeaseRelease = z.strictObject({ lease_id: text() });

const leaseNext = z.strictObject({
  ...leaseFields,
  labels: labels
    .optional()
    .describe(
      "A task must carry every one. Tasks labelled `done` are left out unless it is among them.",
    ),
  not_labels: labels.optional().describe("A task must carry none."),
  wait_seconds: clampedInt(0, WAIT_SECONDS_MAX)
    .optional()
    .describe("How long to wait for a task when none is ready; 0"),
});
export const LeaseNext = withAliases(leaseNext, {
  consumer: "holder",
  wait: "wait_seconds",
  label: "labels",
  not_label: "not_labels",
});
export type LeaseNext = z.infer<typeof LeaseNext>;

export const TaskLeaseResult = z.object({
  object: z.literal("task_lease_result"),
  task: Task.nullable(),
  lease: TaskLease.nullable(),
});
export type TaskLeaseResult = z.infer<typeof TaskLeaseResult>;
