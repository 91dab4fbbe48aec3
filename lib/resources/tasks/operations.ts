import type { Caller } from "@/lib/platform/caller";
import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { readOf } from "@/lib/resources/run-headers";
import { standardOperations } from "@/lib/resources/standard-operations";
import { changeLabels } from "./change-labels";
import { CreatedTask, LabelsChange, Task, TaskCreate, TaskListQuery, TaskUpdate } from "./contract";
import { taskFinishOperations } from "./finish-operations";
import { taskKind } from "./kind";
import { taskLeaseOperations } from "./lease-operations";
import { creation, getWithRun, list, load, remove, update } from "./service";

const standard = standardOperations({
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
  service: {
    ...{ list, creation, update, remove, load },
    async get(caller: Caller, id: string, loading?: ReturnType<typeof load>) {
      const { task, run } = await getWithRun(caller, id, loading);
      return readOf(task, run);
    },
  },
});

export const {
  list: listTasks,
  create: createTask,
  get: getTask,
  update: updateTask,
  remove: deleteTask,
} = standard;

export const changeTaskLabels = operation("POST /api/tasks/{id}/labels", {
  id: "changeTaskLabels",
  summary: "Add and remove labels",
  description: "Other labels are kept; PATCH replaces the whole list.",
  takesClaimToken: true,
  body: LabelsChange,
  success: { status: 200, schema: Task },
  handle: ({ caller, params, body, commit }) => changeLabels(caller, params.id, body, commit),
});

export const taskOperations = [
  ...Object.values(standard),
  changeTaskLabels,
  ...taskLeaseOperations,
  ...taskFinishOperations,
];
