"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { withQuery } from "@/app/_shared/query";
import { formAction, formOf } from "@/app/_shared/run-action";
import { safeRedirectPath, setSessionToken, visitorAddress } from "@/app/_shared/session";
import { completeSignIn, startSignIn } from "@/lib/identity/people/sign-in";
import { signInWithKey } from "@/lib/identity/sessions/visitor";
import { invalidParam } from "@/lib/platform/errors";
import {
  browserProof,
  clearPendingSignIn,
  pendingSignIn,
  setBrowserProof,
  setPendingSignIn,
} from "./sign-in-cookies";

export const sendCode = formAction(async (data) => {
  const email = String(data.get("email"));
  const { id } = await startSignIn(email, await visitorAddress(), await browserProof());
  await setPendingSignIn({ id, email: email.trim() });
  redirect(withQuery("/sign-in", { next: nextOf(data), again: data.has("again") ? 1 : undefined }));
});

export const enterCode = formAction(async (data) => {
  const begun = await pendingSignIn();
  if (!begun) throw invalidParam("code", "This sign-in has expired. Ask for a new code.");
  const { token, proof } = await completeSignIn(
    begun.id,
    String(data.get("code")),
    await visitorAddress(),
    (await headers()).get("user-agent"),
    await browserProof(),
  );
  await clearPendingSignIn();
  await setBrowserProof(proof);
  await setSessionToken(token);
  redirect(safeRedirectPath(data.get("next")));
});

export async function otherAddress(data: FormData): Promise<void> {
  await clearPendingSignIn();
  redirect(withQuery("/sign-in", { next: nextOf(data) }));
}

export const enterKey = formAction(async (data) => {
  const key = String(data.get("key")).trim();
  await setSessionToken(await signInWithKey(key, await visitorAddress()));
  redirect(safeRedirectPath(data.get("next")));
});

function nextOf(data: FormData): string | undefined {
  const next = formOf(data).get("next");
  return typeof next === "string" && next !== "" ? safeRedirectPath(next) : undefined;
}
