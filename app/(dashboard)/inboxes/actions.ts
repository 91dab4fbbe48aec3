"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runForm } from "@/app/_shared/run-action";
import { listOrHome, requireScope } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import {
  assertConfirmed,
  changedFields,
  confirmationWord,
  numberField,
  textField,
} from "@/app/(dashboard)/_shared/form-fields";
import { testRequest } from "@/app/(dashboard)/_shared/test-request";
import type { FormResult } from "@/components/ui/action-form";
import { formPrecondition } from "@/lib/platform/http/unchanged";
import { validate } from "@/lib/platform/http/validation";
import { InboxCreate, InboxUpdate } from "@/lib/resources/inboxes/contract";
import { arrivalOf } from "@/lib/resources/inboxes/events/arrival";
import { PurgeQuery } from "@/lib/resources/inboxes/events/contract";
import { ingest } from "@/lib/resources/inboxes/events/ingest";
import { redrive, redriveAll } from "@/lib/resources/inboxes/events/redrive";
import * as events from "@/lib/resources/inboxes/events/service";
import * as inboxes from "@/lib/resources/inboxes/service";

export async function createInbox(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const input = validate(InboxCreate, fieldsOf(data));
    const id = await createOnce(data, "inboxes.create", input, inboxes.creation);
    redirect(`/inboxes/${id}`);
  });
}

export async function updateInbox(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const changes = validate(InboxUpdate, changedFields(data, fieldsOf(data)));
    const caller = await requireScope("api.write");
    await inboxes.update(caller, id, changes, formPrecondition(textField(data, "tag")));
    redirect(`/inboxes/${id}`);
  });
}

export async function deleteInbox(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const inbox = await inboxes.get(caller, textField(data, "id"));
    assertConfirmed(data, confirmationWord(inbox));
    await inboxes.remove(caller, inbox.id);
    redirect(await listOrHome("/inboxes"));
  });
}

/** Deletes all events, or those in one state. */
export async function purgeInbox(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const inbox = await inboxes.get(caller, textField(data, "id"));
    assertConfirmed(data, confirmationWord(inbox));
    const { state } = validate(PurgeQuery, { state: textField(data, "state") || undefined });
    await events.purge(caller, inbox.id, state);
    redirect(`/inboxes/${inbox.id}`);
  });
}

/** Sends a test event to the ingest URL. */
export async function sendEvent(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const inbox = await inboxes.get(await requireScope("api.read"), textField(data, "id"));
    const request = await testRequest(inbox.ingest_url, "POST", textField(data, "body"));
    await ingest(inbox.id, await arrivalOf(inbox.id, request, {}));
    revalidatePath(`/inboxes/${inbox.id}`, "layout");
  });
}

export async function redriveEvent(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const event = await redrive(await requireScope("api.write"), id, textField(data, "event"));
    redirect(`/inboxes/${id}?event=${event.id}`);
  });
}

export async function redriveAllEvents(_: FormResult, data: FormData): Promise<FormResult> {
  const error = await runForm(data, async () => {
    await redriveAll(await requireScope("api.write"), textField(data, "id"));
  });
  revalidatePath("/inboxes", "layout");
  return error;
}

export async function deleteInboxEvent(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    await events.remove(await requireScope("api.write"), id, textField(data, "event"));
    redirect(`/inboxes/${id}`);
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textField(data, "name"),
    description: textField(data, "description") || null,
    max_events: numberField(data, "max_events") ?? null,
    default_ttl_seconds: numberField(data, "default_ttl_seconds"),
  };
}
