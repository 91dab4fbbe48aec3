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
import { arrivalOf } from "@/lib/inboxes/arrival";
import { InboxCreate, InboxUpdate } from "@/lib/inboxes/contract";
import * as events from "@/lib/inboxes/events";
import { ingest } from "@/lib/inboxes/ingest";
import { redrive } from "@/lib/inboxes/redrive";
import * as inboxes from "@/lib/inboxes/service";

export async function createInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { account } = await accountOf();
    const caller = await callerWith("api.write");
    const input = validate(InboxCreate, fieldsOf(data));
    const form = { id: String(data.get("form")), scope: account.sessionId, work: "inboxes.create" };
    const id = await once(form, async (db) => (await inboxes.create(caller, input, db)).id);
    redirect(`/inboxes/${id}`);
  });
}

export async function updateInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = String(data.get("id"));
    const changes = validate(InboxUpdate, fieldsOf(data));
    const caller = await callerWith("api.write");
    await inboxes.update(caller, id, changes, unchangedSince(String(data.get("tag"))));
    redirect(`/inboxes/${id}`);
  });
}

/** The name is typed first: what is in an inbox is work that nobody has done yet. */
export async function deleteInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    await assertTyped(data, (await inboxes.get(caller, String(data.get("id")))).name);
    await inboxes.remove(caller, String(data.get("id")));
    redirect("/inboxes");
  });
}

export async function purgeInbox(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    await assertTyped(data, (await inboxes.get(caller, String(data.get("id")))).name);
    await events.purge(caller, String(data.get("id")));
    redirect(`/inboxes/${data.get("id")}`);
  });
}

export async function sendTestEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const caller = await callerWith("api.write");
    const { id } = await inboxes.get(caller, String(data.get("id")));
    const request = new Request(`http://localhost/api/inboxes/${id}/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ test: true, from: "dashboard" }),
    });
    const clientAddress = (await visitorAddress()) ?? "";
    await ingest(id, await arrivalOf(Object.assign(request, { clientAddress }), {}));
    revalidatePath(`/inboxes/${id}`);
  });
}

export async function redriveEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = String(data.get("id"));
    await redrive(await callerWith("api.write"), id, String(data.get("event")));
    revalidatePath(`/inboxes/${id}`, "layout");
  });
}

export async function deleteEvent(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = String(data.get("id"));
    await events.remove(await callerWith("api.write"), id, String(data.get("event")));
    redirect(`/inboxes/${id}`);
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: String(data.get("name")),
    description: String(data.get("description") ?? "") || null,
    max_events: Number(data.get("max_events")),
  };
}

async function assertTyped(data: FormData, name: string) {
  if (data.get("typed") === name) return;
  throw invalidParam("typed", "Type the inbox’s name exactly as it is.");
}
