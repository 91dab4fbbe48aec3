"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { attempt } from "@/app/_shared/attempt";
import { callerWith, listOrHome, visitorAddress } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import { assertTyped, numberOf, textOf, touched, wordFor } from "@/app/(dashboard)/_shared/form";
import type { Complaint } from "@/components/ui/action-form";
import { unchangedSince } from "@/lib/http/conditional";
import { validate } from "@/lib/http/validation";
import { arrivalOf } from "@/lib/inboxes/arrival";
import { InboxCreate, InboxUpdate } from "@/lib/inboxes/contract";
import { PurgeQuery } from "@/lib/inboxes/event-contract";
import * as events from "@/lib/inboxes/events";
import { ingest } from "@/lib/inboxes/ingest";
import { redrive } from "@/lib/inboxes/redrive";
import { redriveAll } from "@/lib/inboxes/redrive-all";
import * as inboxes from "@/lib/inboxes/service";

export async function createInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const input = validate(InboxCreate, fieldsOf(data));
    const id = await createOnce(data, "inboxes.create", input, inboxes.create);
    redirect(`/inboxes/${id}`);
  });
}

export async function updateInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    const changes = validate(InboxUpdate, touched(data, fieldsOf(data)));
    const caller = await callerWith("api.write");
    await inboxes.update(caller, id, changes, unchangedSince(textOf(data, "tag")));
    redirect(`/inboxes/${id}`);
  });
}

export async function deleteInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    const inbox = await inboxes.get(caller, textOf(data, "id"));
    assertTyped(data, wordFor(inbox));
    await inboxes.remove(caller, inbox.id);
    redirect(await listOrHome("/inboxes"));
  });
}

/** Removes all events, or those in one state. */
export async function purgeInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    const inbox = await inboxes.get(caller, textOf(data, "id"));
    assertTyped(data, wordFor(inbox));
    const { state } = validate(PurgeQuery, { state: textOf(data, "state") || undefined });
    await events.purge(caller, inbox.id, state);
    redirect(`/inboxes/${inbox.id}`);
  });
}

/** Sends what was typed, as to the ingest URL itself. */
export async function sendEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const inbox = await inboxes.get(await callerWith("api.read"), textOf(data, "id"));
    const request = new Request(inbox.ingest_url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: textOf(data, "body"),
    });
    const address = await visitorAddress();
    Object.assign(request, address !== null && { clientAddress: address });
    await ingest(inbox.id, await arrivalOf(request, {}));
    revalidatePath(`/inboxes/${inbox.id}`, "layout");
  });
}

export async function redriveEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    const event = await redrive(await callerWith("api.write"), id, textOf(data, "event"));
    redirect(`/inboxes/${id}?event=${event.id}`);
  });
}

export async function redriveAllEvents(_: Complaint, data: FormData): Promise<Complaint> {
  const complaint = await attempt(async () => {
    await redriveAll(await callerWith("api.write"), textOf(data, "id"));
  });
  revalidatePath("/inboxes", "layout");
  return complaint;
}

export async function deleteInboxEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    await events.remove(await callerWith("api.write"), id, textOf(data, "event"));
    redirect(`/inboxes/${id}`);
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textOf(data, "name"),
    description: textOf(data, "description") || null,
    max_events: numberOf(data, "max_events") ?? null,
    default_ttl_seconds: numberOf(data, "default_ttl_seconds"),
  };
}
