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
    "Until the lease expires nobody else gets one: 409 `lease_held` names the holder. Send the `lease_id` to renew yours; one that has expired counts while nobody has taken the task since, else 409 `lease_lost`. A lease is an agreement between workers: it changes nothing of the task, and whoever may write the task still may.",
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
  description: "404 when nobody does.",
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
  description:
    "Repeating it is 204 too. 409 `lease_lost` when the lease is not the task's last one.",
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
    "Of the tasks of your organization that nobody holds and whose labels fit: by priority, then due, then age. Tasks labelled `done` are left out unless `labels` has it. `task` and `lease` are null when there is none; `wait_seconds` waits for one first.",
  auth: "required",
  scope: "api.write",
  body: LeaseNext,
  success: { status: 200, schema: TaskLeaseResult },
  waits: ({ body }) => (body.wait_seconds ? { kind: "poll" } : undefined),
  handle: ({ caller, body, request }) => leaseNext(caller, body, request.signal),
});
