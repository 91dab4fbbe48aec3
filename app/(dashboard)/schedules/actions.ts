"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { conflictIn } from "@/app/(dashboard)/_shared/conflict";
import {
  changedFields,
  fieldsIn,
  isChanged,
  textField,
} from "@/app/(dashboard)/_shared/form-fields";
import {
  backOf,
  createAction,
  deleteAction,
  tagOf,
} from "@/app/(dashboard)/_shared/resource-actions";
import { runFailures } from "@/app/(dashboard)/_shared/run-failures";
import type { ToastResult } from "@/components/ui/action-form";
import {
  type Schedule,
  ScheduleCreate,
  type ScheduleRun,
  ScheduleTarget,
} from "@/lib/resources/schedules/contract";
import { scheduleOperations as schedules } from "@/lib/resources/schedules/operations";
import { shownSchedule } from "./_components/shown-schedule";

export const createSchedule = createAction("schedules", schedules.create, (data) => {
  const fields = { ...fieldsOf(data), target: targetOf(data) };
  return { ...fields, timezone: fields.cron === null ? null : fields.timezone };
});
export const deleteSchedule = deleteAction("schedules", schedules.remove);

export const updateSchedule = formAction<null>(async (data) => {
  const id = textField(data, "id");
  const body = changedFields(data, fieldsOf(data));
  const before = await act<Schedule>(schedules.get, { params: { id } });
  const target = changedTarget(data, ScheduleTarget.parse(before.target));
  if (target !== undefined) body.target = target;
  if (textField(data, "cron") === "") delete body.timezone;
  try {
    await act(schedules.update, { params: { id }, body, tag: tagOf(data) });
  } catch (error) {
    return conflictIn(error, data, shownSchedule);
  }
  revalidatePath(`/schedules/${id}`, "layout");
  redirect(backOf(data, `/schedules/${id}`));
});

/** Runs, pauses or resumes. Even if that is refused, the page then shows the current state. */
export const actOnSchedule = formAction<ToastResult>(async (data) => {
  try {
    const params = { id: textField(data, "id") };
    const wanted = textField(data, "act");
    if (wanted !== "run") {
      await act(schedules.update, { params, body: { paused: wanted === "pause" } });
      return null;
    }
    const form = textField(data, "form");
    const { reason } = await act<ScheduleRun>(schedules.run, { params, form });
    // Not an error, after which the form would repeat this run.
    return reason && { told: `Nothing was created. ${runFailures[reason]}` };
  } finally {
    revalidatePath("/schedules", "layout");
  }
});

function fieldsOf(data: FormData) {
  return {
    ...fieldsIn(ScheduleCreate, data),
    cron: textField(data, "cron").trim() || null,
    timezone: textField(data, "timezone").trim() || null,
  };
}

/** The form's fields for each kind of target. */
const TARGET_FIELDS = {
  task: ["name", "description"],
  message: ["url", "method", "body"],
  inbox_event: ["inbox_id", "body"],
} as const;

/** The target of a new schedule. */
function targetOf(data: FormData): object {
  const kind = kindOf(data);
  return { [kind]: targetFields(data, kind) };
}

/** The target after an edit, with unchanged fields kept; undefined if nothing was changed. */
function changedTarget(data: FormData, before: ScheduleTarget): object | undefined {
  const kind = kindOf(data);
  const fields = Object.entries(targetFields(data, kind));
  const typed = fields.filter(([name]) => isChanged(data, `target.${kind}.${name}`));
  if (typed.length === 0 && !isChanged(data, "kind")) return undefined;
  const kept = before[kind];
  return kept ? { [kind]: { ...kept, ...Object.fromEntries(typed) } } : targetOf(data);
}

function kindOf(data: FormData): keyof typeof TARGET_FIELDS {
  const kind = textField(data, "kind");
  return kind === "message" || kind === "inbox_event" ? kind : "task";
}

function targetFields(data: FormData, kind: keyof typeof TARGET_FIELDS): Record<string, unknown> {
  return Object.fromEntries(
    TARGET_FIELDS[kind].map((name) => {
      const typed = textField(data, `target.${kind}.${name}`);
      if (name === "url" || name === "inbox_id") return [name, typed.trim()];
      const isOptional = name === "description" || (name === "body" && kind === "message");
      return [name, isOptional ? typed || null : typed];
    }),
  );
}
