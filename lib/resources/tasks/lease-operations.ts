import { operation } from "@/lib/platform/http/operation";
import * as leases from "./lease";
import { LeaseNext, LeaseRelease, LeaseTake, TaskLease, TaskLeaseResult } from "./lease-contract";
import { leaseNext } from "./lease-next";

export const takeTaskLease = operation("POST /api/tasks/{id}/lease", {
  id: "takeTaskLease",
  summary: "Lease a task, or renew its lease",
  description:
    "409 `lease_held` names the holder. Send your `lease_id` to renew; 409 `lease_lost`: it is not the current one.",
  body: LeaseTake,
  errors: ["lease_lost", "lease_held"],
  success: { status: 200, schema: TaskLease },
  handle: ({ caller, params, body, commit }) => leases.take(caller, params.id, body, commit),
});

export const getTaskLease = operation("GET /api/tasks/{id}/lease", {
  id: "getTaskLease",
  summary: "Get the lease of a task",
  success: { status: 200, schema: TaskLease },
  handle: ({ caller, params }) => leases.get(caller, params.id),
});

export const releaseTaskLease = operation("DELETE /api/tasks/{id}/lease", {
  id: "releaseTaskLease",
  summary: "Release a task",
  description: "409 `lease_lost` when the task has been leased again since.",
  body: LeaseRelease,
  errors: ["lease_lost"],
  success: { status: 204 },
  handle: ({ caller, params, body }) => leases.release(caller, params.id, body.lease_id),
});

export const leaseNextTask = operation("POST /api/tasks/lease-next", {
  id: "leaseNextTask",
  summary: "Lease the next task",
  description:
    "Your organization's next free task with matching labels and no open blocker, by priority, due date, then age. `task` and `lease` are null when there is none.",
  auth: "required",
  withoutKey: "Without one, lease a task by its ID: POST /api/tasks/{id}/lease.",
  body: LeaseNext,
  success: { status: 200, schema: TaskLeaseResult },
  waits: ({ body }) => (body.wait_seconds ? { kind: "poll" } : undefined),
  handle: ({ caller, body, request, commit }) => leaseNext(caller, body, request.signal, commit),
});

export const taskLeaseOperations = [leaseNextTask, takeTaskLease, getTaskLease, releaseTaskLease];
