"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runForm } from "@/app/_shared/run-action";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { listOrHome, requireScope } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import { changedFields, instantField, textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/platform/errors";
import { formPrecondition } from "@/lib/platform/http/unchanged";
import { validate } from "@/lib/platform/http/validation";
import { addBlocker, removeBlocker } from "@/lib/resources/tasks/blockers";
import { moveTo } from "@/lib/resources/tasks/change-labels";
import { TaskCreate, TaskUpdate } from "@/lib/resources/tasks/contract";
import { findBlocker } from "@/lib/resources/tasks/find-blocker";
import * as leases from "@/lib/resources/tasks/lease";
import { addNote } from "@/lib/resources/tasks/notes";
import { NoteCreate } from "@/lib/resources/tasks/notes-contract";
import { isProgress } from "@/lib/resources/tasks/progress";
import * as tasks from "@/lib/resources/tasks/service";

export async function createTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const input = validate(TaskCreate, fieldsOf(data));
    const id = await createOnce(data, "tasks.create", input, tasks.creation);
    redirect(`/tasks/${id}`);
  });
}

export async function updateTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = String(data.get("id"));
    const changes = validate(TaskUpdate, changedFields(data, fieldsOf(data)));
    const caller = await requireScope("api.write");
    await tasks.update(caller, id, changes, formPrecondition(String(data.get("tag"))));
    redirect(`/tasks/${id}`);
  });
}

export async function moveTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const progress = data.get("progress");
    if (!isProgress(progress)) throw invalidParam("progress", "Unknown progress.");
    await moveTo(await requireScope("api.write"), String(data.get("id")), progress);
    revalidatePath("/tasks", "layout");
  });
}

export async function releaseLease(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    await leases.release(caller, String(data.get("id")), String(data.get("lease_id")));
    revalidatePath("/tasks", "layout");
  });
}

export async function addNoteTo(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const note = validate(NoteCreate, { body: textField(data, "body") });
    await addNote(await requireScope("api.write"), String(data.get("id")), note);
    revalidatePath("/tasks", "layout");
  });
}

export async function addBlockerTo(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const id = String(data.get("id"));
    const blocker = textField(data, "blocker");
    await addBlocker(caller, id, await inSearchTurn(() => findBlocker(caller, id, blocker)));
    revalidatePath("/tasks", "layout");
  });
}

export async function removeBlockerOf(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    await removeBlocker(caller, String(data.get("id")), String(data.get("blocker")));
    revalidatePath("/tasks", "layout");
  });
}

export async function deleteTask(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    await tasks.remove(await requireScope("api.write"), String(data.get("id")));
    redirect(await listOrHome("/tasks"));
  });
}

/** The form's fields as the API's body, so that one schema validates both. */
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
