"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act, create } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { listOrHome } from "@/app/_shared/session";
import {
  assertConfirmed,
  changedFields,
  confirmationWord,
  numberField,
  textField,
} from "@/app/(dashboard)/_shared/form-fields";
import { sendTestRequest } from "@/app/(dashboard)/_shared/test-request";
import type { Inbox } from "@/lib/resources/inboxes/contract";
import type { Redriven } from "@/lib/resources/inboxes/events/consumer-contract";
import * as consumer from "@/lib/resources/inboxes/events/consumer-operations";
import { inboxFull } from "@/lib/resources/inboxes/events/ingest";
import * as events from "@/lib/resources/inboxes/events/operations";
import * as inboxes from "@/lib/resources/inboxes/operations";

export const createInbox = formAction(async (data) => {
  redirect(`/inboxes/${await create(inboxes.createInbox, data, fieldsOf(data))}`);
});

export const updateInbox = formAction(async (data) => {
  const id = textField(data, "id");
  const body = changedFields(data, fieldsOf(data));
  await act(inboxes.updateInbox, { params: { id }, body, tag: textField(data, "tag") });
  redirect(`/inboxes/${id}`);
});

export const deleteInbox = formAction(async (data) => {
  const { id } = await confirmed(data);
  await act(inboxes.deleteInbox, { params: { id } });
  redirect(await listOrHome("/inboxes"));
});

/** Deletes all events, or those in one state. */
export const purgeInbox = formAction(async (data) => {
  const { id } = await confirmed(data);
  const state = textField(data, "state");
  await act(events.purgeInboxEvents, { params: { id }, query: state === "" ? {} : { state } });
  redirect(`/inboxes/${id}`);
});

/** Sends a test event to the ingest URL. */
export const sendEvent = formAction(async (data) => {
  const { id } = await read(data);
  await sendTestRequest(events.ingestEvent, id, textField(data, "body"));
  revalidatePath(`/inboxes/${id}`, "layout");
});

export const redriveEvent = formAction(async (data) => {
  const { id, eventId } = eventOf(data);
  await act(consumer.redriveInboxEvent, { params: { id, eventId } });
  redirect(`/inboxes/${id}?event=${eventId}`);
});

export const redriveAllEvents = formAction(async (data) => {
  try {
    const params = { id: textField(data, "id") };
    const { remaining } = await act<Redriven>(consumer.redriveInboxEvents, { params });
    if (remaining > 0) throw inboxFull();
  } finally {
    revalidatePath("/inboxes", "layout");
  }
});

export const deleteInboxEvent = formAction(async (data) => {
  const { id, eventId } = eventOf(data);
  await act(events.deleteInboxEvent, { params: { id, eventId } });
  redirect(`/inboxes/${id}`);
});

function read(data: FormData): Promise<Inbox> {
  return act(inboxes.getInbox, { params: { id: textField(data, "id") } });
}

/** The inbox, if the user typed its name. */
async function confirmed(data: FormData): Promise<Inbox> {
  const inbox = await read(data);
  assertConfirmed(data, confirmationWord(inbox));
  return inbox;
}

function eventOf(data: FormData) {
  return { id: textField(data, "id"), eventId: textField(data, "event") };
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textField(data, "name"),
    description: textField(data, "description") || null,
    max_events: numberField(data, "max_events") ?? null,
    default_ttl_seconds: numberField(data, "default_ttl_seconds"),
  };
}
