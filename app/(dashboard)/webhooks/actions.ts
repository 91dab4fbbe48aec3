"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { attempt } from "@/app/attempt";
import { accountOf, callerWith, visitorAddress } from "@/app/session";
import type { Complaint } from "@/components/ui/action-form";
import { unchangedSince } from "@/lib/http/conditional";
import { invalidParam } from "@/lib/http/errors";
import { once } from "@/lib/http/once";
import { validate } from "@/lib/http/validation";
import { capture } from "@/lib/webhooks/capture";
import {
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookReplay,
} from "@/lib/webhooks/contract";
import * as events from "@/lib/webhooks/events";
import { replay } from "@/lib/webhooks/replay";
import * as webhooks from "@/lib/webhooks/service";

export async function createEndpoint(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { account } = await accountOf();
    const caller = await callerWith("api.write");
    const input = validate(WebhookEndpointCreate, fieldsOf(data));
    const form = {
      id: String(data.get("form")),
      scope: account.sessionId,
      work: "webhooks.create",
    };
    const id = await once(form, async (db) => (await webhooks.create(caller, input, db)).id);
    redirect(`/webhooks/${id}`);
  });
}

export async function updateEndpoint(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = String(data.get("id"));
    const changes = validate(WebhookEndpointUpdate, fieldsOf(data));
    await webhooks.update(
      await callerWith("api.write"),
      id,
      changes,
      unchangedSince(String(data.get("tag"))),
    );
    redirect(`/webhooks/${id}`);
  });
}

export async function deleteEndpoint(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller, id } = await confirmed(data);
    await webhooks.remove(caller, id);
    redirect("/webhooks");
  });
}

export async function purgeEndpoint(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller, id } = await confirmed(data);
    await events.purge(caller, id);
    redirect(`/webhooks/${id}`);
  });
}

/** Goes the way of every captured request, but for the network. */
export async function sendTestRequest(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { id } = await webhooks.get(await callerWith("api.write"), String(data.get("id")));
    const request = new Request(`http://localhost/api/catch/${id}?from=dashboard`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "dashboard" },
      body: JSON.stringify({ test: true, message: "Hello from the dashboard" }),
    });
    const clientAddress = (await visitorAddress()) ?? "";
    await capture(id, Object.assign(request, { clientAddress }));
    revalidatePath(`/webhooks/${id}`);
  });
}

export async function replayEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { account } = await accountOf();
    const caller = await callerWith("api.write");
    const input = validate(WebhookReplay, { url: String(data.get("url")) });
    const form = {
      id: String(data.get("form")),
      scope: account.sessionId,
      work: "webhooks.replay",
    };
    const message = await once(form, async (db) => {
      const made = await replay(
        caller,
        String(data.get("id")),
        String(data.get("event")),
        input,
        db,
      );
      return made.id;
    });
    redirect(`/messages/${message}`);
  });
}

export async function deleteWebhookEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = String(data.get("id"));
    await events.remove(await callerWith("api.write"), id, String(data.get("event")));
    redirect(`/webhooks/${id}`);
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: String(data.get("name")),
    description: String(data.get("description") ?? "") || null,
    max_events: Number(data.get("max_events")),
  };
}

/** The endpoint whose name was typed exactly as it is. */
async function confirmed(data: FormData) {
  const caller = await callerWith("api.write");
  const { id, name } = await webhooks.get(caller, String(data.get("id")));
  if (data.get("typed") === name) return { caller, id };
  throw invalidParam("typed", "Type the endpoint’s name exactly as it is.");
}
