"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runForm } from "@/app/_shared/run-action";
import { listOrHome, requireScope } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import {
  changedFields,
  instantField,
  numberField,
  textField,
} from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import { formPrecondition } from "@/lib/platform/http/unchanged";
import { validate } from "@/lib/platform/http/validation";
import { ScheduleCreate, ScheduleTarget, ScheduleUpdate } from "@/lib/resources/schedules/contract";
import { runNow } from "@/lib/resources/schedules/runs";
import * as schedules from "@/lib/resources/schedules/service";

export async function createSchedule(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const fields = { ...fieldsOf(data), target: targetOf(data) };
    const input = validate(ScheduleCreate, {
      ...fields,
      timezone: fields.cron === null ? null : fields.timezone,
    });
    const id = await createOnce(data, "schedules.create", input, schedules.creation);
    redirect(`/schedules/${id}`);
  });
}

export async function updateSchedule(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const caller = await requireScope("api.write");
    const changes = changedFields(data, fieldsOf(data));
    const before = ScheduleTarget.parse((await schedules.get(caller, id)).target);
    const target = changedTarget(data, before);
    if (target !== undefined) changes.target = target;
    if (textField(data, "cron") === "") delete changes.timezone;
    const tag = formPrecondition(textField(data, "tag"));
    await schedules.update(caller, id, validate(ScheduleUpdate, changes), tag);
    redirect(`/schedules/${id}`);
  });
}

/** Runs, pauses or resumes. Even if that is refused, the page then shows the current state. */
export async function actOnSchedule(_: FormResult, data: FormData): Promise<FormResult> {
  const error = await runForm(data, async () => {
    const caller = await requireScope("api.write");
    const id = textField(data, "id");
    const act = textField(data, "act");
    if (act === "run") await runNow(caller, id);
    else await schedules.update(caller, id, { paused: act === "pause" });
  });
  revalidatePath("/schedules", "layout");
  return error;
}

export async function deleteSchedule(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    await schedules.remove(await requireScope("api.write"), textField(data, "id"));
    redirect(await listOrHome("/schedules"));
  });
}

function fieldsOf(data: FormData) {
  return {
    name: textField(data, "name") || null,
    cron: textField(data, "cron").trim() || null,
    timezone: textField(data, "timezone").trim() || null,
    every_seconds: numberField(data, "every_seconds") ?? null,
    starts_at: instantField(data, "starts_at"),
    ends_at: instantField(data, "ends_at"),
    catch_up: textField(data, "catch_up"),
  };
}

/** The fields that the form shows of each kind of target. */
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

/** The target after an edit, which keeps unchanged fields; undefined if none was changed. */
function changedTarget(data: FormData, before: ScheduleTarget): object | undefined {
  const kind = kindOf(data);
  const kept = before[kind];
  if (kept === undefined) return targetOf(data);
  const fields = Object.entries(targetFields(data, kind));
  const named = Object.fromEntries(
    fields.map(([name, value]) => [`target.${kind}.${name}`, value]),
  );
  const changed = changedFields(data, named);
  if (Object.keys(changed).length === 0) return undefined;
  const typed = fields.filter(([name]) => `target.${kind}.${name}` in changed);
  return { [kind]: { ...kept, ...Object.fromEntries(typed) } };
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
