import { operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import { addBlocker, listBlockers, removeBlocker } from "./blockers";
import { complete } from "./complete";
import { BlockerListQuery, Task } from "./contract";
import { addNote, listNotes } from "./notes";
import { NoteCreate, NoteListQuery, TaskCompletion, TaskNote } from "./notes-contract";

export const completeTask = operation({
  id: "completeTask",
  method: "POST",
  path: "/api/tasks/{id}/complete",
  tag: "Tasks",
  summary: "Complete a task",
  description:
    "Adds `done`, removes `in-progress`, and releases the lease. Safe to repeat. 409 `lease_lost` when another worker has leased the task since.",
  scope: "api.write",
  takesClaimToken: true,
  body: TaskCompletion,
  bodyOptional: true,
  errors: ["lease_lost"],
  success: { status: 200, schema: Task },
  handle: ({ caller, params, body, commit }) => complete(caller, params.id, body, commit),
});

export const addTaskNote = operation({
  id: "addTaskNote",
  method: "POST",
  path: "/api/tasks/{id}/notes",
  tag: "Tasks",
  summary: "Add a note to a task",
  scope: "api.write",
  body: NoteCreate,
  success: { status: 200, schema: TaskNote },
  handle: ({ caller, params, body, commit }) => addNote(caller, params.id, body, commit),
});

export const listTaskNotes = operation({
  id: "listTaskNotes",
  method: "GET",
  path: "/api/tasks/{id}/notes",
  tag: "Tasks",
  summary: "List the notes of a task",
  scope: "api.read",
  query: NoteListQuery,
  success: { status: 200, schema: listOf(TaskNote) },
  handle: ({ caller, params, query }) => listNotes(caller, params.id, query),
});

export const listTaskBlockers = operation({
  id: "listTaskBlockers",
  method: "GET",
  path: "/api/tasks/{id}/blockers",
  tag: "Tasks",
  summary: "List the blockers of a task",
  description: "Done ones too, until they are removed or deleted.",
  scope: "api.read",
  query: BlockerListQuery,
  success: { status: 200, schema: listOf(Task) },
  handle: ({ caller, params, query }) => listBlockers(caller, params.id, query),
});

export const addTaskBlocker = operation({
  id: "addTaskBlocker",
  method: "PUT",
  path: "/api/tasks/{id}/blockers/{blockerId}",
  tag: "Tasks",
  summary: "Block a task by another",
  description:
    "`lease-next` skips a task until its blockers are done or deleted. 409 `blocker_cycle` when the task already blocks the other.",
  scope: "api.write",
  takesClaimToken: true,
  failures: [400],
  errors: ["blocker_cycle"],
  success: { status: 204 },
  handle: ({ caller, params }) => addBlocker(caller, params.id, params.blockerId),
});

export const removeTaskBlocker = operation({
  id: "removeTaskBlocker",
  method: "DELETE",
  path: "/api/tasks/{id}/blockers/{blockerId}",
  tag: "Tasks",
  summary: "Remove a blocker from a task",
  scope: "api.write",
  takesClaimToken: true,
  success: { status: 204 },
  handle: ({ caller, params }) => removeBlocker(caller, params.id, params.blockerId),
});

export const taskFinishOperations = [
  completeTask,
  listTaskNotes,
  addTaskNote,
  listTaskBlockers,
  addTaskBlocker,
  removeTaskBlocker,
];
