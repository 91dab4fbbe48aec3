"use server";

import { revalidatePath } from "next/cache";
import { runForm } from "@/app/_shared/run-action";
import { requireScope } from "@/app/_shared/session";
import { numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import type { Caller } from "@/lib/platform/caller";
import { invalidParam } from "@/lib/platform/errors";
import { validate } from "@/lib/platform/http/validation";
import { WebhookForwardPut } from "@/lib/resources/webhooks/forward/contract";
import * as forwards from "@/lib/resources/webhooks/forward/service";
import { WebhookVerificationPut } from "@/lib/resources/webhooks/verification/contract";
import * as verifications from "@/lib/resources/webhooks/verification/service";

export async function setVerification(_: FormResult, data: FormData): Promise<FormResult> {
  return change(data, async (caller, id) => {
    const scheme = textField(data, "scheme");
    const ofHmac = { header: textField(data, "header"), encoding: textField(data, "encoding") };
    const input = validate(WebhookVerificationPut, {
      scheme,
      secret: textField(data, "secret"),
      ...(scheme === "hmac" && ofHmac),
      tolerance_seconds: numberField(data, "tolerance_seconds"),
    });
    await verifications.put(caller, id, input);
  });
}

export async function removeVerification(_: FormResult, data: FormData): Promise<FormResult> {
  return change(data, verifications.remove);
}

export async function setForward(_: FormResult, data: FormData): Promise<FormResult> {
  return change(data, async (caller, id) => {
    const to = textField(data, "to").trim();
    const methods = textField(data, "methods")
      .split(/[\s,]+/)
      .filter((method) => method !== "")
      .map((method) => method.toUpperCase());
    const match = textField(data, "match").trim();
    const input = validate(WebhookForwardPut, {
      ...(to.startsWith("inbox_") ? { inbox_id: to } : { url: to }),
      methods: methods.length === 0 ? null : methods,
      match: match === "" ? null : parsed(match),
    });
    await forwards.put(caller, id, input);
  });
}

export async function removeForward(_: FormResult, data: FormData): Promise<FormResult> {
  return change(data, forwards.remove);
}

function change(data: FormData, work: (caller: Caller, id: string) => Promise<void>) {
  return runForm(data, async () => {
    const id = textField(data, "id");
    await work(await requireScope("api.write"), id);
    revalidatePath(`/webhooks/${id}`, "layout");
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalidParam("match", 'Enter a JSON object, such as {"x-github-event": "push"}.');
  }
}
