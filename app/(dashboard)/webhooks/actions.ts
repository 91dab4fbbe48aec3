"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import * as z from "zod";
import { withQuery } from "@/app/_shared/query";
import { runForm } from "@/app/_shared/run-action";
import { listOrHome, requireScope, visitor } from "@/app/_shared/session";
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
import { insertFormOnce, once } from "@/lib/api/forms/once";
import { formPrecondition } from "@/lib/platform/http/unchanged";
import { validate } from "@/lib/platform/http/validation";
import { methods } from "@/lib/resources/messages/contract";
import { retryFailed } from "@/lib/resources/messages/retry-failed";
import { WebhookEndpointCreate, WebhookEndpointUpdate } from "@/lib/resources/webhooks/contract";
import { capture } from "@/lib/resources/webhooks/events/capture";
import { WebhookReplay } from "@/lib/resources/webhooks/events/contract";
import { replay } from "@/lib/resources/webhooks/events/replay";
import * as events from "@/lib/resources/webhooks/events/service";
import { BulkReplayCreate } from "@/lib/resources/webhooks/replays/contract";
import * as replays from "@/lib/resources/webhooks/replays/service";
import * as webhooks from "@/lib/resources/webhooks/service";
import { filtersOf } from "./_components/endpoint";
import type { Replayed } from "./_components/replay-section";
import { readEventReplays } from "./_components/replays";

const TestRequest = z.object({ method: z.enum(methods) });

export async function createEndpoint(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const input = validate(WebhookEndpointCreate, fieldsOf(data));
    const id = await createOnce(data, "webhooks.create", input, webhooks.creation);
    redirect(`/webhooks/${id}`);
  });
}

export async function updateEndpoint(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const changes = validate(WebhookEndpointUpdate, changedFields(data, fieldsOf(data)));
    const caller = await requireScope("api.write");
    await webhooks.update(caller, id, changes, formPrecondition(textField(data, "tag")));
    revalidatePath(`/webhooks/${id}`, "layout");
    redirect(`/webhooks/${id}`);
  });
}

export async function deleteEndpoint(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const endpoint = await webhooks.get(caller, textField(data, "id"));
    assertConfirmed(data, confirmationWord(endpoint));
    await webhooks.remove(caller, endpoint.id);
    redirect(await listOrHome("/webhooks"));
  });
}

export async function purgeEvents(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const endpoint = await webhooks.get(caller, textField(data, "id"));
    assertConfirmed(data, confirmationWord(endpoint));
    await events.purge(caller, endpoint.id);
    revalidatePath(`/webhooks/${endpoint.id}`, "layout");
    redirect(`/webhooks/${endpoint.id}`);
  });
}

/** Like the capture URL itself, open to everybody. */
export async function sendTest(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const { caller } = await visitor();
    const { id, url } = await webhooks.get(caller, textField(data, "id"));
    const { method } = validate(TestRequest, { method: textField(data, "method") });
    await capture(id, await testRequest(`${url}?from=dashboard`, method, textField(data, "body")));
    revalidatePath(`/webhooks/${id}`, "layout");
  });
}

export async function deleteEvent(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    await events.remove(await requireScope("api.write"), id, textField(data, "event"));
    revalidatePath(`/webhooks/${id}`, "layout");
    redirect(`/webhooks/${id}`);
  });
}

/** Replays the request, and returns its replays. */
export async function replayEvent(_: FormResult, data: FormData): Promise<FormResult | Replayed> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const input = validate(WebhookReplay, { url: textField(data, "url") });
    const [id, event] = [textField(data, "id"), textField(data, "event")];
    const { account } = await visitor();
    const retry = data.get("retry") !== null;
    const key = {
      // A replay to another URL is not a repeated press.
      id: `${textField(data, "form")} ${retry} ${input.url}`,
      scope: account?.sessionId ?? id,
      work: "webhooks.replay",
    };
    const messageId = await insertFormOnce(key, () => replay(caller, id, event, input, { retry }));
    const history = await readEventReplays(caller, id, event);
    return { id: messageId, url: input.url, history };
  });
}

/** Begins a replay of all events that match the filter of the page. */
export async function replayEvents(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const caller = await requireScope("api.write");
    const id = textField(data, "id");
    const filter = filtersOf(
      Object.fromEntries(["method", "q", "header"].map((name) => [name, textField(data, name)])),
    );
    const url = textField(data, "url");
    const input = validate(BulkReplayCreate, { ...filter, url, retry: data.get("retry") !== null });
    const { account } = await visitor();
    const key = {
      id: `${textField(data, "form")} ${url}`,
      scope: account?.sessionId ?? id,
      work: "webhooks.replays",
    };
    await once(key, async () => (await replays.create(caller, id, input)).id);
    redirect(withQuery(`/webhooks/${id}/replays`, filter));
  });
}

export async function cancelReplay(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    await replays.cancel(await requireScope("api.write"), id, textField(data, "replay"));
    revalidatePath(`/webhooks/${id}/replays`);
  });
}

/** Sends the messages of a replay that failed for good again. */
export async function retryReplay(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const replayId = textField(data, "replay");
    await retryFailed(await requireScope("api.write"), { replayId });
    revalidatePath(`/webhooks/${textField(data, "id")}/replays`);
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textField(data, "name"),
    description: textField(data, "description") || null,
    max_events: numberField(data, "max_events") ?? null,
  };
}
