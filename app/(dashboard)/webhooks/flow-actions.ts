"use server";

import { revalidatePath } from "next/cache";
import { act } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import { resourceAction } from "@/app/(dashboard)/_shared/resource-actions";
import { invalidParam } from "@/lib/platform/errors";
import { JSON_VALUES_MAX, parseBounded } from "@/lib/platform/http/bounded-json";
import {
  webhookForwardOperations as forward,
  forwardToNewInbox,
} from "@/lib/resources/webhooks/forward/operations";
import { webhookVerificationOperations as verification } from "@/lib/resources/webhooks/verification/operations";

export const setVerification = resourceAction("webhooks", verification.put, (data) => {
  const scheme = textField(data, "scheme");
  const ofHmac = { header: textField(data, "header"), encoding: textField(data, "encoding") };
  const body = {
    scheme,
    secret: textField(data, "secret"),
    ...(scheme === "hmac" && ofHmac),
    tolerance_seconds: numberField(data, "tolerance_seconds"),
  };
  return { body, ...ifAsShown(data) };
});

export const removeVerification = resourceAction("webhooks", verification.remove);

export const setForward = formAction(async (data) => {
  const id = textField(data, "id");
  const body = await forwardOf(data);
  const chosen = textField(data, "inbox_id") || "url";
  if (chosen === "new") {
    const { methods, match } = body;
    const made = { name: textField(data, "name"), methods, match };
    // A second submission of the form makes no second inbox.
    const form = textField(data, "form");
    await act(forwardToNewInbox, { params: { id }, body: made, form, ...ifAsShown(data) });
  } else {
    const url = textField(data, "url").trim();
    const inboxId = chosen === "url" && url.startsWith("inbox_") ? url : chosen;
    const target = inboxId === "url" ? { url } : { inbox_id: inboxId, ...NO_ADDITIONS };
    await act(forward.put, { params: { id }, body: { ...body, ...target }, ...ifAsShown(data) });
  }
  revalidatePath(`/webhooks/${id}`, "layout");
});

/** Which events are forwarded, and what is added to those that go to a URL. */
async function forwardOf(data: FormData): Promise<Record<string, unknown>> {
  const methods = textField(data, "methods")
    .split(/[\s,]+/)
    .filter((method) => method !== "")
    .map((method) => method.toUpperCase());
  const match = textField(data, "match").trim();
  const headers = textField(data, "headers").trim();
  return {
    methods: methods.length === 0 ? null : methods,
    match: match === "" ? null : await parsed("match", match, '{"x-github-event": "push"}'),
    headers:
      headers === "" ? null : await parsed("headers", headers, '{"Authorization": "Bearer …"}'),
    text_field: textField(data, "text_field") || null,
  };
}

/** An inbox takes events as they are. */
const NO_ADDITIONS = { headers: null, text_field: null };

/** Refuses to replace a setting that the form has not shown. Its tag is empty if there was none. */
function ifAsShown(data: FormData) {
  const tag = textField(data, "tag");
  return tag === "" ? { headers: { "if-none-match": "*" } } : { tag };
}

export const removeForward = resourceAction("webhooks", forward.remove);

async function parsed(name: string, json: string, example: string): Promise<unknown> {
  const { value, excessive } = await parseBounded(Buffer.from(json)).catch(() => {
    throw invalidParam(name, `Enter a JSON object, such as ${example}.`);
  });
  if (excessive) throw invalidParam(name, `"${name}" has more than ${JSON_VALUES_MAX} values.`);
  return value;
}
