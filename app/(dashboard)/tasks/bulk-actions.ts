"use server";

import { revalidatePath } from "next/cache";
import { runAction, runForm } from "@/app/_shared/run-action";
import { requireScope } from "@/app/_shared/session";
import type { FormResult } from "@/components/ui/action-form";
import { validate } from "@/lib/platform/http/validation";
import * as bulk from "@/lib/resources/tasks/bulk";

// A browser may send anything to an action.

export async function changeTasks(change: bulk.TasksChange): Promise<FormResult | bulk.BulkResult> {
  return runAction(async () => {
    const caller = await requireScope("api.write");
    const result = await bulk.changeTasks(caller, validate(bulk.TasksChange, Object(change)));
    revalidatePath("/tasks", "layout");
    return result;
  });
}

export async function undoChanges(tasks: bulk.Undo[]): Promise<FormResult | bulk.BulkResult> {
  return runAction(async () => {
    const caller = await requireScope("api.write");
    const undo = validate(bulk.TasksUndo, { tasks });
    const result = await bulk.undoChanges(caller, undo.tasks);
    revalidatePath("/tasks", "layout");
    return result;
  });
}

export async function deleteTasks(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const { ids } = validate(bulk.TasksRemoval, { ids: String(data.get("ids")).split(" ") });
    await bulk.removeTasks(caller, ids);
    revalidatePath("/tasks", "layout");
  });
}
