"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act, create } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { listOrHome, visitor } from "@/app/_shared/session";
import { changedFields, instantField, textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormAction } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/platform/errors";
import type { Operation } from "@/lib/platform/http/operation";
import { findBlocker } from "@/lib/resources/tasks/find-blocker";
import * as finish from "@/lib/resources/tasks/finish-operations";
import { releaseTaskLease } from "@/lib/resources/tasks/lease-operations";
import * as tasks from "@/lib/resources/tasks/operations";
import { isProgress, labelsChangeTo } from "@/lib/resources/tasks/progress";

export const createTask = formAction(async (data) => {
  redirect(`/tasks/${await create(tasks.createTask, data, fieldsOf(data))}`);
});

export const updateTask = formAction(async (data) => {
  const id = textField(data, "id");
  const body = changedFields(data, fieldsOf(data));
  await act(tasks.updateTask, { params: { id }, body, tag: textField(data, "tag") });
  redirect(`/tasks/${id}`);
});

export const moveTask = formAction(async (data) => {
  const progress = data.get("progress");
  if (!isProgress(progress)) throw invalidParam("progress", "Unknown progress.");
  const params = { id: textField(data, "id") };
  await act(tasks.changeTaskLabels, { params, body: labelsChangeTo(progress) });
  revalidatePath("/tasks", "layout");
});

export const releaseLease = change(releaseTaskLease, (data) => ({
  body: { lease_id: textField(data, "lease_id") },
}));

export const addNoteTo = change(finish.addTaskNote, (data) => ({
  body: { body: textField(data, "body") },
}));

export const addBlockerTo = formAction(async (data) => {
  const { caller } = await visitor();
  const id = textField(data, "id");
  const words = textField(data, "blocker");
  const blockerId = await inSearchTurn(() => findBlocker(caller, id, words));
  await act(finish.addTaskBlocker, { params: { id, blockerId } });
  revalidatePath("/tasks", "layout");
});

export const removeBlockerOf = change(finish.removeTaskBlocker, (data) => ({
  blockerId: textField(data, "blocker"),
}));

export const deleteTask = formAction(async (data) => {
  await act(tasks.deleteTask, { params: { id: textField(data, "id") } });
  redirect(await listOrHome("/tasks"));
});

/** Changes the task of a form, and stays on the page. */
function change(
  operation: Operation,
  asked: (data: FormData) => { body?: Record<string, unknown>; blockerId?: string },
): FormAction {
  return formAction(async (data) => {
    const id = textField(data, "id");
    const { body = {}, ...params } = asked(data);
    await act(operation, { params: { id, ...params }, body });
    revalidatePath("/tasks", "layout");
  });
}

/** The form's fields as the API's body, so that the API's schema validates both. */
function fieldsOf(data: FormData): Record<string, unknown> {
  const added = textField(data, "more_labels").split(",");
  const chosen = data.getAll("label").map((label) => String(label).replaceAll("\r\n", "\n"));
  const labels = [...chosen, ...added.map((label) => label.trim())];
  return {
    name: textField(data, "name"),
    description: textField(data, "description") || null,
    priority: textField(data, "priority") || "low",
    due_at: instantField(data, "due_at"),
    external_id: textField(data, "external_id") || null,
    labels: [...new Set(labels.filter((label) => label !== ""))],
  };
}
