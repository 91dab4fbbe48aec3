"use server";

import { revalidatePath } from "next/cache";
import { runForm } from "@/app/_shared/run-action";
import { requireAccount } from "@/app/_shared/session";
import type { FormResult } from "@/components/ui/action-form";
import { answerInvitation } from "@/lib/identity/organizations/invitations";
import { chooseOrganization } from "@/lib/identity/sessions/sessions";

export async function answer(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const { caller, account } = await requireAccount();
    // Joining does not switch the current organization.
    await chooseOrganization(account.sessionId, account.organization.id);
    await answerInvitation(caller, String(data.get("id")), data.get("answer") === "join");
    revalidatePath("/", "layout");
  });
}
