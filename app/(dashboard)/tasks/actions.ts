"use server";

import { revalidatePath } from "next/cache";
import { act } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { visitor } from "@/app/_shared/session";
import { fieldsIn, textField } from "@/app/(dashboard)/_shared/form-fields";
import {
  createAction,
  deleteAction,
  resourceAction,
  updateAction,
} from "@/app/(dashboard)/_shared/resource-actions";
import { invalidParam } from "@/lib/platform/errors";
import { taskBlockerOperations as blockers } from "@/lib/resources/tasks/blocker-operations";
import { findBlocker } from "@/lib/resources/tasks/blockers";
import { TaskCreate } from "@/lib/resources/tasks/contract";
import { taskOperations as tasks } from "@/lib/resources/tasks/operations";
import { isProgress, labelsChangeTo } from "@/lib/resources/tasks/progress";

export const createTask = createAction("tasks", tasks.create, fieldsOf);
export const updateTask = updateAction("tasks", tasks.update, (data) => {
  const { labels, ...fields } = fieldsOf(data);
  return JSON.stringify(labels) === textField(data, "labels_shown")
    ? fields
    : { ...fields, labels };
});
export const deleteTask = deleteAction("tasks", tasks.remove);

export const moveTask = resourceAction("tasks", tasks.changeLabels, (data) => {
  const progress = data.get("progress");
  if (!isProgress(progress)) throw invalidParam("progress", "Unknown progress.");
  return { body: labelsChangeTo(progress) };
});

export const releaseLease = resourceAction("tasks", tasks.releaseLease, (data) => ({
  body: { lease_id: textField(data, "lease_id") },
}));

export const addNoteTo = resourceAction("tasks", tasks.addNote, (data) => ({
  body: { body: textField(data, "body") },
}));

export const addBlockerTo = formAction(async (data) => {
  const { caller } = await visitor();
  const id = textField(data, "id");
  const words = textField(data, "blocker");
  const blockerId = await inSearchTurn(caller, () => findBlocker(caller, id, words));
  await act(blockers.add, { params: { id, blockerId } });
  revalidatePath("/tasks", "layout");
});

export const removeBlockerOf = resourceAction("tasks", blockers.remove, (data) => ({
  params: { blockerId: textField(data, "blocker") },
}));

function fieldsOf(data: FormData) {
  const added = textField(data, "more_labels").split(",");
  const chosen = data.getAll("label").map((label) => String(label).replaceAll("\r\n", "\n"));
  const labels = [...chosen, ...added.map((label) => label.trim())];
  return {
    ...fieldsIn(TaskCreate, data),
    labels: [...new Set(labels.filter((label) => label !== ""))],
  };
}
