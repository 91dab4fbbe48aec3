"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { attempt } from "@/app/attempt";
import { accountOf, forgetSessionToken } from "@/app/session";
import type { Complaint } from "@/components/ui/action-form";
import { answerInvitation, invite, withdraw } from "@/lib/accounts/invitations";
import { removeMember, rename } from "@/lib/accounts/organization";
import { person } from "@/lib/accounts/organization-keys";
import { chooseOrganization, endAllSessions } from "@/lib/accounts/sessions";

export async function renameOrganization(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller } = await accountOf();
    await rename(caller, String(data.get("name")));
    revalidatePath("/", "layout");
  });
}

export async function inviteMember(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller } = await accountOf();
    await invite(caller, String(data.get("email")));
    revalidatePath("/settings");
  });
}

export async function withdrawInvitation(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller } = await accountOf();
    await withdraw(caller, String(data.get("id")));
    revalidatePath("/settings");
  });
}

export async function answer(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller, account } = await accountOf();
    // Whoever joins goes on looking at what they look at.
    await chooseOrganization(account.sessionId, account.organization.id);
    await answerInvitation(caller, String(data.get("id")), data.get("answer") === "join");
    revalidatePath("/", "layout");
  });
}

export async function removeMemberOf(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller } = await accountOf();
    await removeMember(caller, String(data.get("id")));
    revalidatePath("/", "layout");
  });
}

export async function endEverySession(): Promise<Complaint> {
  return attempt(async () => {
    const { caller } = await accountOf();
    await endAllSessions(person(caller).userId);
    await forgetSessionToken();
    redirect("/sign-in");
  });
}
