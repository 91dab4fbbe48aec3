"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { create } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import { cancelRetrying, retryFailed } from "@/app/(dashboard)/_shared/retry-failed";
import type { ToastResult } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/platform/errors";
import { kinds } from "@/lib/resources/kinds";
import { operationOf } from "@/lib/resources/registry";

/** Runs the API operation of a card's command for the organization, and opens the result. */
export const createFirst = formAction(async (data) => {
  const kind = kinds.find(({ name }) => name === textField(data, "kind"));
  const operation = kind && operationOf(kind.name, "POST");
  if (!kind || !operation) throw invalidParam("kind", "There is no such kind of resource.");
  redirect(`/${kind.name}/${await create(operation, data, kind.first.body)}`);
});

/** Retries the messages to one host that failed permanently since then: those that the page counted. */
export const retryHost = formAction<ToastResult>(async (data) => {
  const since = numberField(data, "since");
  const retried = await retryFailed({ host: textField(data, "host"), since });
  revalidatePath("/dashboard");
  return { told: `Retried ${retried.toLocaleString("en")}` };
});

/** Cancels the messages to one host that would be retried. */
export const stopHost = formAction<ToastResult>(async (data) => {
  const canceled = await cancelRetrying({ host: textField(data, "host") });
  revalidatePath("/dashboard");
  return { told: `Canceled ${canceled.toLocaleString("en")}` };
});
