import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import { readOf } from "@/lib/resources/run-headers";
import { upsertOperation } from "@/lib/resources/upsert-operation";
import { changeLabels } from "./change-labels";
import { CreatedTask, LabelsChange, Task, TaskCreate, TaskListQuery, TaskUpdate } from "./contract";
import { taskFinishOperations } from "./finish-operations";
import { taskKind } from "./kind";
import { taskLeaseOperations } from "./lease-operations";
import * as tasks from "./service";

export const listTasks = operation({
  id: "listTasks",
  method: "GET",
  path: "/api/tasks",
  tag: "Tasks",
  summary: "List tasks",
  scope: "api.read",
  query: TaskListQuery,
  success: { status: 200, schema: listOf(Task) },
  handle: ({ caller, query }) => tasks.list(caller, query),
});

export const createTask = operation({
  id: "createTask",
  method: "POST",
  path: "/api/tasks",
  tag: "Tasks",
  summary: "Create a task",
  scope: "api.write",
  body: TaskCreate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  success: { status: 201, schema: CreatedTask },
  handle: ({ caller, body }) => tasks.creation(caller, body),
});

export const getTask = operation({
  id: "getTask",
  method: "GET",
  path: "/api/tasks/{id}",
  tag: "Tasks",
  summary: "Get a task",
  scope: "api.read",
  success: { status: 200, schema: Task },
  conditional: true,
  load: tasks.load,
  async handle({ caller, params, loading }) {
    const { task, run } = await tasks.getWithRun(caller, params.id, loading);
    return readOf(task, run);
  },
});

export const updateTask = operation({
  id: "updateTask",
  method: "PATCH",
  path: "/api/tasks/{id}",
  tag: "Tasks",
  summary: "Update a task",
  scope: "api.write",
  takesClaimToken: true,
  body: TaskUpdate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  success: { status: 200, schema: Task },
  handle: ({ caller, params, body, precondition }) =>
    tasks.update(caller, params.id, body, precondition),
});

export const upsertTask = upsertOperation({
  id: "upsertTask",
  kind: taskKind,
  body: TaskCreate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  schema: Task,
  create: tasks.create,
  update: tasks.update,
});

export const changeTaskLabels = operation({
  id: "changeTaskLabels",
  method: "POST",
  path: "/api/tasks/{id}/labels",
  tag: "Tasks",
  summary: "Add and remove labels",
  description: "Other labels are kept; PATCH replaces the whole list.",
  scope: "api.write",
  takesClaimToken: true,
  body: LabelsChange,
  success: { status: 200, schema: Task },
  handle: ({ caller, params, body, commit }) => changeLabels(caller, params.id, body, commit),
});

export const deleteTask = operation({
  id: "deleteTask",
  method: "DELETE",
  path: "/api/tasks/{id}",
  tag: "Tasks",
  summary: "Delete a task",
  scope: "api.write",
  success: { status: 204 },
  handle: ({ caller, params, precondition }) => tasks.remove(caller, params.id, precondition),
});

export const taskOperations = [
  listTasks,
  createTask,
  getTask,
  updateTask,
  upsertTask,
  deleteTask,
  changeTaskLabels,
  ...taskLeaseOperations,
  ...taskFinishOperations,
];
