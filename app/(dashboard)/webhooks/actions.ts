"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act } from "@/app/_shared/act";
import { withQuery } from "@/app/_shared/query";
import { formAction } from "@/app/_shared/run-action";
import { visitor } from "@/app/_shared/session";
import { eventParams, textField } from "@/app/(dashboard)/_shared/form-fields";
import {
  assertNameTyped,
  backOf,
  createAction,
  deleteAction,
  resourceAction,
  updateAction,
} from "@/app/(dashboard)/_shared/resource-actions";
import { retryFailed } from "@/app/(dashboard)/_shared/retry-failed";
import { sendTestRequest } from "@/app/(dashboard)/_shared/test-request";
import type { ToastResult } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/platform/errors";
import type { List } from "@/lib/platform/lists/list";
import type { WebhookEndpoint } from "@/lib/resources/webhooks/contract";
import {
  captureOperations,
  webhookEventOperations as events,
} from "@/lib/resources/webhooks/events/operations";
import { webhookOperations as webhooks } from "@/lib/resources/webhooks/operations";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { webhookReplayOperations as replays } from "@/lib/resources/webhooks/replays/operations";
import { filtersOf } from "./_components/endpoint";
import { readEventReplays } from "./_components/replays";

export const createEndpoint = createAction("webhooks", webhooks.create);
export const updateEndpoint = updateAction("webhooks", webhooks.update);
export const deleteEndpoint = deleteAction("webhooks", webhooks.remove, webhooks.get);

export const purgeEvents = formAction(async (data) => {
  await assertNameTyped(data, webhooks.get);
  const id = textField(data, "id");
  await act(events.purge, { params: { id } });
  revalidatePath(`/webhooks/${id}`, "layout");
  redirect(`/webhooks/${id}`);
});

/** Open to everybody, like the capture URL itself. */
export const sendTest = formAction(async (data) => {
  const params = { id: textField(data, "id") };
  const { id } = await act<WebhookEndpoint>(webhooks.get, { params });
  const method = textField(data, "method");
  const operation = captureOperations.find((one) => one.method === method);
  if (!operation) throw invalidParam("method", "Choose one of the methods.");
  await sendTestRequest(operation, id, data, { from: "dashboard" });
  revalidatePath(`/webhooks/${id}`, "layout");
});

export const deleteEvent = formAction(async (data) => {
  const { id, eventId } = eventParams(data);
  await act(events.remove, { params: { id, eventId } });
  revalidatePath(`/webhooks/${id}`, "layout");
  redirect(backOf(data, `/webhooks/${id}`));
});

/** A requested replay, and the event's replays including it. */
export interface Replayed {
  id: string;
  url: string;
  history: List<EventReplay>;
}

/** Replays the request and returns its replays. Another URL is no repeated press. */
export const replayEvent = formAction<Replayed>(async (data) => {
  const { id, eventId } = eventParams(data);
  const url = textField(data, "url");
  const message = await act<{ id: string }>(events.replay, {
    params: { id, eventId },
    body: { url },
    headers: { "replay-retry": String(data.get("retry") !== null) },
    form: textField(data, "form"),
  });
  const history = await readEventReplays((await visitor()).caller, id, eventId);
  return { id: message.id, url, history };
});

/** Starts a replay of all events that match the page's filter. */
export const replayEvents = formAction(async (data) => {
  const id = textField(data, "id");
  const filter = filtersOf(
    Object.fromEntries(["method", "q", "header"].map((name) => [name, textField(data, name)])),
  );
  const body = { ...filter, url: textField(data, "url"), retry: data.get("retry") !== null };
  const form = textField(data, "form");
  await act(replays.create, { params: { id }, body, form });
  redirect(withQuery(`/webhooks/${id}/replays`, filter));
});

export const cancelReplay = resourceAction("webhooks", replays.cancel, (data) => ({
  params: { replayId: textField(data, "replay") },
}));

/** Resends the messages of a replay that failed permanently. */
export const retryReplay = formAction<ToastResult>(async (data) => {
  const retried = await retryFailed({ replayId: textField(data, "replay") });
  revalidatePath(`/webhooks/${textField(data, "id")}/replays`);
  return { told: `Retried ${retried.toLocaleString("en")}` };
});
