"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act, create } from "@/app/_shared/act";
import { runForm } from "@/app/_shared/run-action";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { listOrHome, visitor } from "@/app/_shared/session";
import { changedFields, instantField, textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/platform/errors";
import type { Operation } from "@/lib/platform/http/operation";
import { findBlocker } from "@/lib/resources/tasks/find-blocker";
import * as finish from "@/lib/resources/tasks/finish-operations";
import { releaseTaskLease } from "@/lib/resources/tasks/lease-operations";
import * as tasks from "@/lib/resources/tasks/operations";
import { isProgress, labelsChangeTo } from "@/lib/resources/tasks/progress";

export async function createTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    redirect(`/tasks/${await create(tasks.createTask, data, fieldsOf(data))}`);
  });
}

export async function updateTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const body = changedFields(data, fieldsOf(data));
    await act(tasks.updateTask, { params: { id }, body, tag: textField(data, "tag") });
    redirect(`/tasks/${id}`);
  });
}

export async function moveTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const progress = data.get("progress");
    if (!isProgress(progress)) throw invalidParam("progress", "Unknown progress.");
    const params = { id: textField(data, "id") };
    await act(tasks.changeTaskLabels, { params, body: labelsChangeTo(progress) });
    revalidatePath("/tasks", "layout");
  });
}

export async function releaseLease(_: FormResult, data: FormData): Promise<FormResult> {
  return change(data, releaseTaskLease, () => ({
    body: { lease_id: textField(data, "lease_id") },
  }));
}

export async function addNoteTo(_: FormResult, data: FormData): Promise<FormResult> {
  return change(data, finish.addTaskNote, () => ({ body: { body: textField(data, "body") } }));
}

export async function addBlockerTo(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const { caller } = await visitor();
    const id = textField(data, "id");
    const words = textField(data, "blocker");
    const blockerId = await inSearchTurn(() => findBlocker(caller, id, words));
    await act(finish.addTaskBlocker, { params: { id, blockerId } });
    revalidatePath("/tasks", "layout");
  });
}

export async function removeBlockerOf(_: FormResult, data: FormData): Promise<FormResult> {
  return change(data, finish.removeTaskBlocker, () => ({
    blockerId: textField(data, "blocker"),
  }));
}

export async function deleteTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    await act(tasks.deleteTask, { params: { id: textField(data, "id") } });
    redirect(await listOrHome("/tasks"));
  });
}

/** Changes the task of a form, and stays on the page. */
function change(
  data: FormData,
  operation: Operation,
  asked: () => { body?: Record<string, unknown>; blockerId?: string },
): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const { body = {}, ...params } = asked();
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
