"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction } from "@/app/_shared/run-action";
import { listOrHome, requireScope } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import { changedFields, numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/errors";
import { formPrecondition } from "@/lib/forms/unchanged";
import { validate } from "@/lib/http/validation";
import { ScheduleCreate, ScheduleTarget, ScheduleUpdate } from "@/lib/schedules/contract";
import { runNow } from "@/lib/schedules/runs";
import * as schedules from "@/lib/schedules/service";

export async function createSchedule(_: FormResult, data: FormData): Promise<FormResult> {
  return runAction(async () => {
    const fields = { ...fieldsOf(data), target: targetOf(data, {}) };
    const input = validate(ScheduleCreate, {
      ...fields,
      timezone: fields.cron === null ? null : fields.timezone,
    });
    const id = await createOnce(data, "schedules.create", input, schedules.creation);
    redirect(`/schedules/${id}`);
  });
}

export async function updateSchedule(_: FormResult, data: FormData): Promise<FormResult> {
  return runAction(async () => {
    const id = textField(data, "id");
    const caller = await requireScope("api.write");
    const changes = changedFields(data, fieldsOf(data));
    const parts = Object.fromEntries(TARGET_FIELDS.map((name) => [name, true]));
    if (Object.keys(changedFields(data, parts)).length > 0) {
      const before = ScheduleTarget.parse((await schedules.get(caller, id)).target);
      changes.target = targetOf(data, before);
    }
    if (textField(data, "cron") === "") delete changes.timezone;
    const tag = formPrecondition(textField(data, "tag"));
    await schedules.update(caller, id, validate(ScheduleUpdate, changes), tag);
    redirect(`/schedules/${id}`);
  });
}

/** Runs, pauses or resumes. Even if that is refused, the page then shows the current state. */
export async function actOnSchedule(_: FormResult, data: FormData): Promise<FormResult> {
  const error = await runAction(async () => {
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
  return runAction(async () => {
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
    starts_at: instantOf(data, "starts_at"),
    ends_at: instantOf(data, "ends_at"),
    catch_up: textField(data, "catch_up"),
  };
}

const TARGET_FIELDS = [
  "kind",
  "target.task.name",
  "target.task.description",
  "target.message.url",
  "target.message.method",
  "target.message.body",
  "target.inbox_event.inbox_id",
  "target.inbox_event.body",
];

/** The target that the form shows, with what it does not show from before. */
function targetOf(data: FormData, before: ScheduleTarget): object {
  const field = (name: string) => textField(data, `target.${name}`);
  switch (textField(data, "kind")) {
    case "message": {
      const [url, method] = [field("message.url").trim(), field("message.method")];
      return { message: { ...before.message, url, method, body: field("message.body") || null } };
    }
    case "inbox_event": {
      const inbox_id = field("inbox_event.inbox_id").trim();
      const body = field("inbox_event.body");
      return { inbox_event: { ...before.inbox_event, inbox_id, body } };
    }
    default: {
      const description = field("task.description") || null;
      return { task: { ...before.task, name: field("task.name"), description } };
    }
  }
}

/** `datetime-local` has no time zone; the form asks for UTC. */
function instantOf(data: FormData, name: string): number | null {
  const typed = textField(data, name);
  if (typed === "") return null;
  const milliseconds = Date.parse(`${typed}Z`);
  if (Number.isNaN(milliseconds)) throw invalidParam(name, "Enter a date and a time.");
  return Math.floor(milliseconds / 1000);
}
