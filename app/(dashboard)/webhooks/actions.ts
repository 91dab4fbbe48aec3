"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { attempt } from "@/app/attempt";
import { createOnce } from "@/app/create-once";
import { assertTyped, numberOf, textOf, touched, wordFor } from "@/app/form";
import { callerWith, listOrHome, visitor, visitorAddress } from "@/app/session";
import { nowOf } from "@/components/messages/message-state";
import type { Complaint } from "@/components/ui/action-form";
import type { Replayed } from "@/components/webhooks/replay-form";
import { config } from "@/lib/config/config";
import { writeOnce } from "@/lib/forms/once";
import { unchangedSince } from "@/lib/forms/unchanged";
import { jsonOutline } from "@/lib/http/json-outline";
import { validate } from "@/lib/http/validation";
import { methods } from "@/lib/messages/contract";
import * as messages from "@/lib/messages/service";
import { WebhookEndpointCreate, WebhookEndpointUpdate } from "@/lib/webhooks/contract";
import { capture } from "@/lib/webhooks/events/capture";
import { WebhookReplay } from "@/lib/webhooks/events/contract";
import { replay } from "@/lib/webhooks/events/replay";
import * as events from "@/lib/webhooks/events/service";
import * as webhooks from "@/lib/webhooks/service";

const TestRequest = z.object({ method: z.enum(methods) });

export async function createEndpoint(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const input = validate(WebhookEndpointCreate, fieldsOf(data));
    const id = await createOnce(data, "webhooks.create", input, webhooks.create);
    redirect(`/webhooks/${id}`);
  });
}

export async function updateEndpoint(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    const changes = validate(WebhookEndpointUpdate, touched(data, fieldsOf(data)));
    const caller = await callerWith("api.write");
    await webhooks.update(caller, id, changes, unchangedSince(textOf(data, "tag")));
    revalidatePath(`/webhooks/${id}`, "layout");
    redirect(`/webhooks/${id}`);
  });
}

export async function deleteEndpoint(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    const endpoint = await webhooks.get(caller, textOf(data, "id"));
    assertTyped(data, wordFor(endpoint));
    await webhooks.remove(caller, endpoint.id);
    redirect(await listOrHome("/webhooks"));
  });
}

export async function purgeEvents(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    const endpoint = await webhooks.get(caller, textOf(data, "id"));
    assertTyped(data, wordFor(endpoint));
    await events.purge(caller, endpoint.id);
    revalidatePath(`/webhooks/${endpoint.id}`, "layout");
    redirect(`/webhooks/${endpoint.id}`);
  });
}

/** Anybody may, as to the capture URL itself. */
export async function sendTest(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller } = await visitor();
    const { id, url } = await webhooks.get(caller, textOf(data, "id"));
    const { method } = validate(TestRequest, { method: textOf(data, "method") });
    const body = textOf(data, "body");
    const type = jsonOutline(Buffer.from(body)) ? "application/json" : "text/plain; charset=utf-8";
    const request = new Request(`${url}?from=dashboard`, {
      method,
      headers: {
        "user-agent": new URL(config().baseUrl).host,
        ...(method !== "GET" && { "content-type": type }),
      },
      ...(method !== "GET" && { body }),
    });
    const address = await visitorAddress();
    await capture(id, Object.assign(request, address !== null && { clientAddress: address }));
    revalidatePath(`/webhooks/${id}`, "layout");
  });
}

export async function deleteEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    await events.remove(await callerWith("api.write"), id, textOf(data, "event"));
    revalidatePath(`/webhooks/${id}`, "layout");
    redirect(`/webhooks/${id}`);
  });
}

/** Gives the message that carries the request again. */
export async function replayEvent(_: Complaint, data: FormData): Promise<Complaint | Replayed> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    const input = validate(WebhookReplay, { url: textOf(data, "url") });
    const [id, event] = [textOf(data, "id"), textOf(data, "event")];
    const { account } = await visitor();
    const key = {
      // Another address is another replay, however soon it follows.
      id: `${textOf(data, "form")} ${input.url}`,
      scope: account?.sessionId ?? id,
      work: "webhooks.replay",
    };
    const messageId = await writeOnce(
      key,
      async (db) => (await replay(caller, id, event, input, db)).id,
    );
    return { url: input.url, carrier: nowOf(await messages.get(caller, messageId)) };
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textOf(data, "name"),
    description: textOf(data, "description") || null,
    max_events: numberOf(data, "max_events") ?? null,
  };
}
