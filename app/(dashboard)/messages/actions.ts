"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { attempt } from "@/app/_shared/attempt";
import { callerWith, listOrHome } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import { numberOf, textOf, touched } from "@/app/(dashboard)/_shared/form";
import type { Complaint } from "@/components/ui/action-form";
import { unchangedSince } from "@/lib/http/conditional";
import { invalidParam } from "@/lib/http/errors";
import { validate } from "@/lib/http/validation";
import { MessageCreate, MessageUpdate } from "@/lib/messages/contract";
import * as messages from "@/lib/messages/service";

const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600, d: 86_400 };

export async function createMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const amount = numberOf(data, "delay") ?? 0;
    const delay = amount * (UNITS[textOf(data, "unit")] ?? 1);
    const input = validate(MessageCreate, { ...fieldsOf(data), delay_seconds: delay });
    const id = await createOnce(data, "messages.create", input, messages.create);
    redirect(`/messages/${id}`);
  });
}

export async function updateMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    const fields = touched(data, { ...fieldsOf(data), scheduled_at: instantOf(data) });
    const changes = validate(MessageUpdate, fields);
    const caller = await callerWith("api.write");
    await messages.update(caller, id, changes, unchangedSince(textOf(data, "tag")));
    redirect(`/messages/${id}`);
  });
}

/** Cancels or retries. Refused or not, the page then shows the message as it is now. */
export async function actOnMessage(_: Complaint, data: FormData): Promise<Complaint> {
  const complaint = await attempt(async () => {
    const caller = await callerWith("api.write");
    const id = textOf(data, "id");
    await (textOf(data, "act") === "retry" ? messages.retry : messages.cancel)(caller, id);
  });
  revalidatePath("/messages", "layout");
  return complaint;
}

export async function deleteMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await messages.remove(await callerWith("api.write"), textOf(data, "id"));
    redirect(await listOrHome("/messages"));
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  const body = textOf(data, "body");
  return {
    method: textOf(data, "method"),
    url: textOf(data, "url").trim(),
    headers: headersOf(textOf(data, "headers")),
    body: body === "" ? null : body,
  };
}

/** One header a line, as HTTP writes them. */
function headersOf(lines: string): Record<string, string> {
  const entries = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): [string, string] => {
      const colon = line.indexOf(":");
      if (colon < 1) throw invalidParam("headers", "Write one header a line, as in name: value.");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
  return Object.fromEntries(entries);
}

/** `datetime-local` says no time zone; the form says that it is UTC. */
function instantOf(data: FormData): number {
  const milliseconds = Date.parse(`${textOf(data, "scheduled_at")}Z`);
  if (Number.isNaN(milliseconds)) throw invalidParam("scheduled_at", "Type a date and a time.");
  return Math.floor(milliseconds / 1000);
}
