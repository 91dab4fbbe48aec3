"use server";

import { redirect } from "next/navigation";
import { withQuery } from "@/app/_shared/query";
import { formAction, formOf } from "@/app/_shared/run-action";
import { endThisSession, requireAccount, safeRedirectPath } from "@/app/_shared/session";
import { checkAuthorization, isTooLong } from "@/lib/identity/oauth/authorization";
import { allow, deny } from "@/lib/identity/oauth/consent";
import { requirePerson } from "@/lib/identity/people/person";
import { ApiError } from "@/lib/platform/errors";
import type { Decision } from "../_components/consent-form";

/** Checks the request again, since the form's fields come from the browser. */
export const decide = formAction<Decision>(async (data) => {
  const { caller } = await requireAccount();
  const { userId } = requirePerson(caller);
  const request = String(data.get("request"));
  // Before it is parsed, which takes seconds for megabytes.
  if (isTooLong(request)) throw new ApiError("invalid_request", "The request is too long.");
  const query = new URLSearchParams(request);
  const { valid, ...checked } = await checkAuthorization(query, userId);
  if (!valid) throw new ApiError("invalid_request", "problem" in checked ? checked.problem : "");
  if (data.get("decision") !== "allow") return { allowed: false, url: deny(valid) };
  const organizationId = String(data.get("organization"));
  const mayWrite = data.get("access") === "write";
  return { allowed: true, url: await allow(caller, valid, { organizationId, mayWrite }) };
});

/** Signs out, then returns here after the next sign-in. */
export async function switchAccount(data: FormData): Promise<void> {
  await endThisSession();
  redirect(withQuery("/sign-in", { next: safeRedirectPath(formOf(data).get("next")) }));
}
