import { operation } from "@/lib/platform/http/operation";
import { listOf, listQuery } from "@/lib/platform/lists/list";
import { addBlocker, Blocker, listBlockers, removeBlocker } from "./blockers";

// Apart from the other operations of tasks, since these load questions too.
export const taskBlockerOperations = {
  list: operation("GET /api/tasks/{id}/blockers", {
    id: "listTaskBlockers",
    summary: "List the blockers of a task",
    description: "Tasks, then questions. Done ones too, until they are removed or deleted.",
    query: listQuery("tsk", "qst"),
    success: { status: 200, schema: listOf(Blocker) },
    handle: ({ caller, params, query }) => listBlockers(caller, params.id, query),
  }),
  add: operation("PUT /api/tasks/{id}/blockers/{blockerId}", {
    id: "addTaskBlocker",
    summary: "Block a task by another, or by a question",
    description:
      "`lease-next` skips a task until its blockers are done, answered (approved, if that is asked) or deleted. 409 `blocker_cycle` if the task blocks the other.",
    takesClaimToken: true,
    failures: [400, 412],
    errors: ["blocker_cycle"],
    success: { status: 204 },
    handle: ({ caller, params, precondition }) =>
      addBlocker(caller, params.id, params.blockerId, precondition),
  }),
  remove: operation("DELETE /api/tasks/{id}/blockers/{blockerId}", {
    id: "removeTaskBlocker",
    summary: "Remove a blocker from a task",
    takesClaimToken: true,
    success: { status: 204 },
    untagged: true,
    handle: ({ caller, params }) => removeBlocker(caller, params.id, params.blockerId),
  }),
};
