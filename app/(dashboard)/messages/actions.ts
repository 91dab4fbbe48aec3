"use server";

import { revalidatePath } from "next/cache";
import { act } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { fieldsIn, numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import {
  createAction,
  deleteAction,
  updateAction,
} from "@/app/(dashboard)/_shared/resource-actions";
import { retryFailed } from "@/app/(dashboard)/_shared/retry-failed";
import type { ToastResult } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/platform/errors";
import { MessageCreate } from "@/lib/resources/messages/contract";
import { messageOperations as messages } from "@/lib/resources/messages/operations";
import { HEADERS_BYTES_MAX } from "@/lib/resources/messages/target";
import { shownMessage } from "./_components/shown-message";

const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600, d: 86_400 };

export const createMessage = createAction("messages", messages.create, (data) => {
  const { scheduled_at, ...fields } = fieldsOf(data);
  if (scheduled_at !== null) return { ...fields, scheduled_at };
  const amount = numberField(data, "delay") ?? 0;
  return { ...fields, delay_seconds: amount * (UNITS[textField(data, "unit")] ?? 1) };
});
export const updateMessage = updateAction("messages", messages.update, fieldsOf, shownMessage);
export const deleteMessage = deleteAction("messages", messages.remove);

/** Cancels or retries. Even if that is refused, the page then shows the message's current state. */
export const actOnMessage = formAction(async (data) => {
  try {
    const operation = textField(data, "act") === "retry" ? messages.retry : messages.cancel;
    await act(operation, { params: { id: textField(data, "id") } });
  } finally {
    revalidatePath("/messages", "layout");
  }
});

/** Retries the messages that failed permanently. */
export const retryFailedMessages = formAction<ToastResult>(async (data) => {
  const words = textField(data, "q") || undefined;
  const replayId = textField(data, "replay") || undefined;
  const host = textField(data, "host") || undefined;
  const since = numberField(data, "since");
  const retried = await retryFailed({ words, replayId, host, since });
  revalidatePath("/messages", "layout");
  return { told: `Retried ${retried.toLocaleString("en")}` };
});

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    ...fieldsIn(MessageCreate, data),
    url: textField(data, "url").trim(),
    headers: headersOf(textField(data, "headers")),
  };
}

/** Twice what the contract allows, for separators and spaces. */
const HEADERS_CHARACTERS_MAX = 2 * HEADERS_BYTES_MAX;

/** One header per line, as in HTTP. */
function headersOf(lines: string): Record<string, string> {
  if (lines.length > HEADERS_CHARACTERS_MAX) {
    const message = `"headers" must have at most ${HEADERS_CHARACTERS_MAX} characters.`;
    throw invalidParam("headers", message);
  }
  const headers = new Map<string, string>();
  for (const line of lines.split("\n").filter((one) => one.trim() !== "")) {
    const colon = line.indexOf(":");
    if (colon < 1) throw invalidParam("headers", "Write one header per line, as name: value.");
    const name = line.slice(0, colon).trim();
    if (headers.has(name)) {
      throw invalidParam("headers", `${name} is given twice. Join its values with a comma.`);
    }
    headers.set(name, line.slice(colon + 1).trim());
  }
  return Object.fromEntries(headers);
}
