import { operation } from "@/lib/platform/http/operation";
import { listOf, listQuery } from "@/lib/platform/lists/list";
import { addBlocker, listBlockers, removeBlocker } from "./blockers";
import { complete } from "./complete";
import { Task } from "./contract";
import { addNote, listNotes } from "./notes";
import { NoteCreate, TaskCompletion, TaskNote } from "./notes-contract";

export const completeTask = operation("POST /api/tasks/{id}/complete", {
  id: "completeTask",
  summary: "Complete a task",
  description:
    "Adds `done`, removes `in-progress`, and releases the lease. Safe to repeat. 409 `lease_lost` when another worker has leased the task since.",
  takesClaimToken: true,
  body: TaskCompletion,
  bodyOptional: true,
  errors: ["lease_lost"],
  success: { status: 200, schema: Task },
  handle: ({ caller, params, body, commit }) => complete(caller, params.id, body, commit),
});

export const addTaskNote = operation("POST /api/tasks/{id}/notes", {
  id: "addTaskNote",
  summary: "Add a note to a task",
  body: NoteCreate,
  success: { status: 200, schema: TaskNote },
  handle: ({ caller, params, body, commit }) => addNote(caller, params.id, body, commit),
});

export const listTaskNotes = operation("GET /api/tasks/{id}/notes", {
  id: "listTaskNotes",
  summary: "List the notes of a task",
  query: listQuery("note"),
  success: { status: 200, schema: listOf(TaskNote) },
  handle: ({ caller, params, query }) => listNotes(caller, params.id, query),
});

export const listTaskBlockers = operation("GET /api/tasks/{id}/blockers", {
  id: "listTaskBlockers",
  summary: "List the blockers of a task",
  description: "Done ones too, until they are removed or deleted.",
  query: listQuery("tsk"),
  success: { status: 200, schema: listOf(Task) },
  handle: ({ caller, params, query }) => listBlockers(caller, params.id, query),
});

export const addTaskBlocker = operation("PUT /api/tasks/{id}/blockers/{blockerId}", {
  id: "addTaskBlocker",
  summary: "Block a task by another",
  description:
    "`lease-next` skips a task until its blockers are done or deleted. 409 `blocker_cycle` when the task already blocks the other.",
  takesClaimToken: true,
  failures: [400],
  errors: ["blocker_cycle"],
  success: { status: 204 },
  handle: ({ caller, params }) => addBlocker(caller, params.id, params.blockerId),
});

export const removeTaskBlocker = operation("DELETE /api/tasks/{id}/blockers/{blockerId}", {
  id: "removeTaskBlocker",
  summary: "Remove a blocker from a task",
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
