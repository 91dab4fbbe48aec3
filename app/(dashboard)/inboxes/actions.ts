"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { eventParams, textField } from "@/app/(dashboard)/_shared/form-fields";
import {
  assertNameTyped,
  backOf,
  createAction,
  deleteAction,
  resourceAction,
  updateAction,
} from "@/app/(dashboard)/_shared/resource-actions";
import { sendTestRequest } from "@/app/(dashboard)/_shared/test-request";
import type { Inbox } from "@/lib/resources/inboxes/contract";
import type { Redriven } from "@/lib/resources/inboxes/events/consumer-contract";
import { inboxFull } from "@/lib/resources/inboxes/events/ingest";
import { inboxEventOperations as events } from "@/lib/resources/inboxes/events/operations";
import { inboxOperations as inboxes } from "@/lib/resources/inboxes/operations";

export const createInbox = createAction("inboxes", inboxes.create);
export const updateInbox = updateAction("inboxes", inboxes.update);
export const deleteInbox = deleteAction("inboxes", inboxes.remove, inboxes.get);

/** Deletes all events, or those in one state. */
export const purgeInbox = formAction(async (data) => {
  await assertNameTyped(data, inboxes.get);
  const id = textField(data, "id");
  const state = textField(data, "state");
  await act(events.purge, { params: { id }, query: state === "" ? {} : { state } });
  revalidatePath(`/inboxes/${id}`, "layout");
  redirect(`/inboxes/${id}`);
});

/** Sends a test event to the ingest URL. */
export const sendEvent = formAction(async (data) => {
  const params = { id: textField(data, "id") };
  const { id } = await act<Inbox>(inboxes.get, { params });
  await sendTestRequest(events.ingest, id, data);
  revalidatePath(`/inboxes/${id}`, "layout");
});

export const redriveEvent = resourceAction("inboxes", events.redrive, (data) => ({
  params: eventParams(data),
}));

export const redriveAllEvents = formAction(async (data) => {
  try {
    const params = { id: textField(data, "id") };
    const { remaining } = await act<Redriven>(events.redriveAll, { params });
    if (remaining > 0) throw inboxFull();
  } finally {
    revalidatePath("/inboxes", "layout");
  }
});

export const deleteInboxEvent = formAction(async (data) => {
  const { id, eventId } = eventParams(data);
  await act(events.remove, { params: { id, eventId } });
  revalidatePath(`/inboxes/${id}`, "layout");
  redirect(backOf(data, `/inboxes/${id}`));
});
