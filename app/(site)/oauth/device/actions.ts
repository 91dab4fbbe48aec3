"use server";

import { redirect } from "next/navigation";
import { formAction } from "@/app/_shared/run-action";
import { requireAccount } from "@/app/_shared/session";
import { decideDevice } from "@/lib/identity/oauth/device";
import type { Decision } from "../_components/consent-form";

/** Records the decision, and shows it: by then the code's own page is gone. */
export const decide = formAction<Decision>(async (data) => {
  const { caller } = await requireAccount();
  const allowed = data.get("decision") === "allow";
  const organizationId = String(data.get("organization"));
  const mayWrite = data.get("access") === "write";
  const decision = allowed ? { organizationId, mayWrite } : "deny";
  await decideDevice(caller, String(data.get("request")), decision);
  redirect(`/oauth/device?done=${allowed ? "allowed" : "denied"}`);
});
