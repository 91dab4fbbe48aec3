"use server";

import { revalidatePath } from "next/cache";
import { formAction } from "@/app/_shared/run-action";
import { requireAccount } from "@/app/_shared/session";
import { answerInvitation } from "@/lib/identity/organizations/invitations";
import { chooseOrganization } from "@/lib/identity/sessions/sessions";

export const answer = formAction(async (data) => {
  const { caller, account } = await requireAccount();
  // Joining does not switch the current organization.
  await chooseOrganization(account.sessionId, account.organization.id);
  await answerInvitation(caller, String(data.get("id")), data.get("answer") === "join");
  revalidatePath("/", "layout");
});
