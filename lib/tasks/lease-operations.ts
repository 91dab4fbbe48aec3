import { operation } from "@/lib/http/operation";
import * as leases from "./lease";
import { LeaseNext, LeaseRelease, LeaseTake, TaskLease, TaskLeaseResult } from "./lease-contract";
import { leaseNext } from "./lease-next";

export const takeTaskLease = operation({
  id: "takeTaskLease",
  method: "POST",
  path: "/api/tasks/{id}/lease",
  tag: "Tasks",
  summary: "Take a task, or hold it for longer",
  description:
    "409 `lease_held` names the holder. Send the `lease_id` to renew yours; 409 `lease_lost` when another worker took the task since.",
  scope: "api.write",
  body: LeaseTake,
  failures: [409],
  success: { status: 200, schema: TaskLease },
  handle: ({ caller, params, body }) => leases.take(caller, params.id, body),
});

export const getTaskLease = operation({
  id: "getTaskLease",
  method: "GET",
  path: "/api/tasks/{id}/lease",
  tag: "Tasks",
  summary: "See who holds a task",
  scope: "api.read",
  success: { status: 200, schema: TaskLease },
  handle: ({ caller, params }) => leases.get(caller, params.id),
});

export const releaseTaskLease = operation({
  id: "releaseTaskLease",
  method: "DELETE",
  path: "/api/tasks/{id}/lease",
  tag: "Tasks",
  summary: "Give a task back",
  description: "409 `lease_lost` when the lease is not the task's last one.",
  scope: "api.write",
  body: LeaseRelease,
  failures: [409],
  success: { status: 204 },
  handle: ({ caller, params, body }) => leases.release(caller, params.id, body.lease_id),
});

export const leaseNextTask = operation({
  id: "leaseNextTask",
  method: "POST",
  path: "/api/tasks/lease-next",
  tag: "Tasks",
  summary: "Take the next task",
  description:
    "Of your organization's tasks that nobody holds and whose labels fit: by priority, then due, then age. `task` and `lease` are null when there is none.",
  auth: "required",
  scope: "api.write",
  body: LeaseNext,
  success: { status: 200, schema: TaskLeaseResult },
  waits: ({ body }) => (body.wait_seconds ? { kind: "poll" } : undefined),
  handle: ({ caller, body, request }) => leaseNext(caller, body, request.signal),
});

export const taskLeaseOperations = [leaseNextTask, takeTaskLease, getTaskLease, releaseTaskLease];
