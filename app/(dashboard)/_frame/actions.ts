"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { setTheme } from "@/app/_shared/display-settings";
import { formOf, runAction } from "@/app/_shared/run-action";
import { endThisSession, requireAccount, safeRedirectPath } from "@/app/_shared/session";
import type { FormResult } from "@/components/ui/action-form";
import { chooseOrganization } from "@/lib/identity/sessions/sessions";

export async function signOut(): Promise<never> {
  await endThisSession();
  redirect("/sign-in");
}

/** Switches the organization, unless the person is not a member of it, and opens the page `to`. */
export async function switchOrganization(_: FormResult, data: FormData): Promise<FormResult> {
  return runAction(async () => {
    const form = formOf(data);
    const { account } = await requireAccount();
    const wanted = account.memberships.find(
      ({ organizationId }) => organizationId === form.get("organization"),
    );
    if (wanted) await chooseOrganization(account.sessionId, wanted.organizationId);
    revalidatePath("/", "layout");
    redirect(safeRedirectPath(form.get("to")));
  });
}

export async function chooseTheme(_: FormResult, data: FormData): Promise<FormResult> {
  await setTheme(formOf(data).get("theme"));
  revalidatePath("/", "layout");
  return null;
}
