"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { address } from "@/app/_shared/address";
import { attempt } from "@/app/_shared/attempt";
import { pathOnOurOrigin, setSessionToken, visitorAddress } from "@/app/_shared/session";
import type { Complaint } from "@/components/ui/action-form";
import { completeSignIn, startSignIn } from "@/lib/accounts/sign-in";
import { signInWithKey } from "@/lib/accounts/visitor";
import { invalidParam } from "@/lib/http/errors";
import {
  begunSignIn,
  browserProof,
  forgetSignIn,
  keepBrowserProof,
  rememberSignIn,
} from "./attempt-cookie";

export async function sendCode(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const email = String(data.get("email"));
    const { id } = await startSignIn(email, await visitorAddress(), await browserProof());
    await rememberSignIn({ id, email: email.trim() });
    redirect(address("/sign-in", { next: nextOf(data) }));
  });
}

export async function enterCode(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const begun = await begunSignIn();
    if (!begun) throw invalidParam("code", "This sign-in has expired. Ask for a new code.");
    const { token, proof } = await completeSignIn(
      begun.id,
      String(data.get("code")),
      await visitorAddress(),
      (await headers()).get("user-agent"),
      await browserProof(),
    );
    await forgetSignIn();
    await keepBrowserProof(proof);
    await setSessionToken(token);
    redirect(pathOnOurOrigin(data.get("next")));
  });
}

export async function otherAddress(data: FormData): Promise<void> {
  await forgetSignIn();
  redirect(address("/sign-in", { next: nextOf(data) }));
}

export async function enterKey(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await setSessionToken(await signInWithKey(String(data.get("key")).trim()));
    redirect(pathOnOurOrigin(data.get("next")));
  });
}

function nextOf(data: FormData): string | undefined {
  const next = data.get("next");
  return typeof next === "string" && next !== "" ? pathOnOurOrigin(next) : undefined;
}
