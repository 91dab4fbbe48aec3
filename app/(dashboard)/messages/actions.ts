"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { attempt } from "@/app/attempt";
import { accountOf, callerWith } from "@/app/session";
import type { Complaint } from "@/components/ui/action-form";
import { unchangedSince } from "@/lib/http/conditional";
import { invalidParam } from "@/lib/http/errors";
import { once } from "@/lib/http/once";
import { validate } from "@/lib/http/validation";
import { MessageCreate, MessageUpdate } from "@/lib/messages/contract";
import * as messages from "@/lib/messages/service";

export async function createMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { account } = await accountOf();
    const caller = await callerWith("api.write");
    const input = validate(MessageCreate, {
      ...fieldsOf(data),
      delay_seconds: Math.round(Number(data.get("delay")) * Number(data.get("unit"))),
    });
    const form = {
      id: String(data.get("form")),
      scope: account.sessionId,
      work: "messages.create",
    };
    const id = await once(form, async (db) => (await messages.create(caller, input, db)).id);
    redirect(`/messages/${id}`);
  });
}

export async function updateMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = String(data.get("id"));
    const at = String(data.get("at") ?? "");
    const changes = validate(MessageUpdate, {
      ...fieldsOf(data),
      ...(at !== "" && { scheduled_at: Math.floor(Date.parse(`${at}Z`) / 1000) }),
    });
    const caller = await callerWith("api.write");
    await messages.update(caller, id, changes, unchangedSince(String(data.get("tag"))));
    redirect(`/messages/${id}`);
  });
}

export async function cancelMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await messages.cancel(await callerWith("api.write"), String(data.get("id")));
    revalidatePath("/messages", "layout");
  });
}

export async function retryMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await messages.retry(await callerWith("api.write"), String(data.get("id")));
    revalidatePath("/messages", "layout");
  });
}

export async function deleteMessage(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await messages.remove(await callerWith("api.write"), String(data.get("id")));
    redirect("/messages");
  });
}

/** The form's fields as the API's body, so that one schema judges both. A binary body is not in the form. */
function fieldsOf(data: FormData): Record<string, unknown> {
  const body = data.get("body");
  return {
    url: String(data.get("url")),
    method: String(data.get("method")),
    headers: headersOf(String(data.get("headers") ?? "")),
    ...(body !== null && { body: String(body).replaceAll("\r\n", "\n") || null }),
  };
}

function headersOf(lines: string): Record<string, string> {
  const given = lines.split(/\r?\n/).filter((line) => line.trim() !== "");
  return Object.fromEntries(
    given.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw invalidParam("headers", "Write one header a line, as Name: value.");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
