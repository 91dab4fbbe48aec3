"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act, create } from "@/app/_shared/act";
import { withQuery } from "@/app/_shared/query";
import { formAction } from "@/app/_shared/run-action";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { listOrHome } from "@/app/_shared/session";
import {
  changedFields,
  instantField,
  numberField,
  textField,
} from "@/app/(dashboard)/_shared/form-fields";
import { retryFailed } from "@/app/(dashboard)/_shared/retry-failed";
import { invalidParam } from "@/lib/platform/errors";
import * as messages from "@/lib/resources/messages/operations";

const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600, d: 86_400 };

export const createMessage = formAction(async (data) => {
  const amount = numberField(data, "delay") ?? 0;
  const delay_seconds = amount * (UNITS[textField(data, "unit")] ?? 1);
  const time =
    textField(data, "scheduled_at") === ""
      ? { delay_seconds }
      : { scheduled_at: instantField(data, "scheduled_at") };
  const body = { ...fieldsOf(data), ...time };
  redirect(`/messages/${await create(messages.createMessage, data, body)}`);
});

export const updateMessage = formAction(async (data) => {
  const id = textField(data, "id");
  const body = changedFields(data, {
    ...fieldsOf(data),
    scheduled_at: instantField(data, "scheduled_at"),
  });
  await act(messages.updateMessage, { params: { id }, body, tag: textField(data, "tag") });
  redirect(`/messages/${id}`);
});

/** Cancels or retries. Even if that is refused, the page then shows the message's current state. */
export const actOnMessage = formAction(async (data) => {
  try {
    const { retryMessage, cancelMessage } = messages;
    const operation = textField(data, "act") === "retry" ? retryMessage : cancelMessage;
    await act(operation, { params: { id: textField(data, "id") } });
  } finally {
    revalidatePath("/messages", "layout");
  }
});

/** Retries the messages that failed for good. */
export const retryFailedMessages = formAction(async (data) => {
  const words = textField(data, "q") || undefined;
  const replayId = textField(data, "replay") || undefined;
  await inSearchTurn(() => retryFailed({ words, replayId }));
  redirect(withQuery("/messages", { replay: replayId }));
});

export const deleteMessage = formAction(async (data) => {
  await act(messages.deleteMessage, { params: { id: textField(data, "id") } });
  redirect(await listOrHome("/messages"));
});

function fieldsOf(data: FormData): Record<string, unknown> {
  const body = textField(data, "body");
  return {
    method: textField(data, "method"),
    url: textField(data, "url").trim(),
    headers: headersOf(textField(data, "headers")),
    body: body === "" ? null : body,
  };
}

/** One header per line, as in HTTP. */
function headersOf(lines: string): Record<string, string> {
  const entries = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): [string, string] => {
      const colon = line.indexOf(":");
      if (colon < 1) throw invalidParam("headers", "Write one header per line, as name: value.");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
  return Object.fromEntries(entries);
}
