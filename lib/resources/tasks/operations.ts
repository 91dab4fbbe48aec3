import type { Caller } from "@/lib/platform/caller";
import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { listOf, listQuery } from "@/lib/platform/lists/list";
import { readOf } from "@/lib/resources/run-headers";
import { standardOperations } from "@/lib/resources/standard-operations";
import { changeLabels } from "./change-labels";
import { complete } from "./complete";
import { CreatedTask, LabelsChange, Task, TaskCreate, TaskListQuery, TaskUpdate } from "./contract";
import { taskKind } from "./kind";
import * as leases from "./lease";
import { LeaseNext, LeaseRelease, LeaseTake, TaskLease, TaskLeaseResult } from "./lease-contract";
import { leaseNext } from "./lease-next";
import { addNote, listNotes } from "./notes";
import { NoteCreate, TaskCompletion, TaskNote } from "./notes-contract";
import { isProgress } from "./progress";
import { creation, getWithRun, list, load, remove, update } from "./service";

export const taskOperations = {
  ...standardOperations({
    kind: taskKind,
    id: "Task",
    nouns: ["a task", "tasks"],
    schemas: {
      resource: Task,
      created: CreatedTask,
      query: TaskListQuery,
      create: TaskCreate,
      update: TaskUpdate,
    },
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    // No index serves these in the order of the list.
    list: {
      searches: ({ label = [], not_label, priority, due_before, due_after, blocked }) =>
        label.length > 1 ||
        [not_label, priority, due_before, due_after, blocked].some((one) => one !== undefined),
    },
    service: {
      ...{ list, creation, update, remove, prefetch: load },
      async get(caller: Caller, id: string, prefetched?: ReturnType<typeof load>) {
        const { task, run } = await getWithRun(caller, id, prefetched);
        return readOf(task, run);
      },
    },
  }),
  changeLabels: operation("POST /api/tasks/{id}/labels", {
    id: "changeTaskLabels",
    summary: "Add and remove labels",
    description: "Other labels are kept; PATCH replaces the whole list.",
    takesClaimToken: true,
    body: LabelsChange,
    // A task can be worked on and finished even if the storage is used up.
    texts: ({ add = [] }) => add.filter((label) => !isProgress(label)),
    success: { status: 200, schema: Task },
    handle: ({ caller, params, body, commit }) => changeLabels(caller, params.id, body, commit),
  }),
  leaseNext: operation("POST /api/tasks/lease-next", {
    id: "leaseNextTask",
    summary: "Lease the next task",
    description:
      "Your organization's next free task with matching labels and no open blocker, by priority, due date, then age. `task` and `lease` are null if there is none.",
    auth: "required",
    withoutKey: "Without one, lease a task by its ID: POST /api/tasks/{id}/lease.",
    body: LeaseNext,
    finishesWork: true,
    success: { status: 200, schema: TaskLeaseResult },
    waits: ({ body }) => (body.wait_seconds ? { kind: "poll" } : undefined),
    handle: ({ caller, body, request, commit }) => leaseNext(caller, body, request.signal, commit),
  }),
  takeLease: operation("POST /api/tasks/{id}/lease", {
    id: "takeTaskLease",
    summary: "Lease a task, or renew its lease",
    description:
      "409 `lease_held` names the holder. Send your `lease_id` to renew; 409 `lease_lost` if it is not the current one.",
    body: LeaseTake,
    errors: ["lease_lost", "lease_held"],
    success: { status: 200, schema: TaskLease },
    handle: ({ caller, params, body, commit }) => leases.take(caller, params.id, body, commit),
  }),
  getLease: operation("GET /api/tasks/{id}/lease", {
    id: "getTaskLease",
    summary: "Get the lease of a task",
    success: { status: 200, schema: TaskLease },
    handle: ({ caller, params }) => leases.get(caller, params.id),
  }),
  releaseLease: operation("DELETE /api/tasks/{id}/lease", {
    id: "releaseTaskLease",
    summary: "Release a task",
    description: "409 `lease_lost` when the task has been leased again since.",
    body: LeaseRelease,
    errors: ["lease_lost"],
    success: { status: 204 },
    untagged: true,
    handle: ({ caller, params, body }) => leases.release(caller, params.id, body.lease_id),
  }),
  complete: operation("POST /api/tasks/{id}/complete", {
    id: "completeTask",
    summary: "Complete a task",
    description:
      "Adds `done`, removes `in-progress` and ends the lease. Safe to repeat. 409 `lease_lost` if it was released or replaced since.",
    takesClaimToken: true,
    body: TaskCompletion,
    bodyOptional: true,
    texts: ({ note }) => [note],
    finishesWork: true,
    errors: ["lease_lost"],
    success: { status: 200, schema: Task },
    handle: ({ caller, params, body, commit }) => complete(caller, params.id, body, commit),
  }),
  listNotes: operation("GET /api/tasks/{id}/notes", {
    id: "listTaskNotes",
    summary: "List the notes of a task",
    query: listQuery("note"),
    success: { status: 200, schema: listOf(TaskNote) },
    handle: ({ caller, params, query }) => listNotes(caller, params.id, query),
  }),
  addNote: operation("POST /api/tasks/{id}/notes", {
    id: "addTaskNote",
    summary: "Add a note to a task",
    body: NoteCreate,
    texts: ({ body }) => [body],
    success: { status: 200, schema: TaskNote },
    handle: ({ caller, params, body, commit }) => addNote(caller, params.id, body, commit),
  }),
};
