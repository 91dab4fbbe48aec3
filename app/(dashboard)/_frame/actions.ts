"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { getTheme, setTheme } from "@/app/_shared/display-settings";
import { clearSessionToken, requireAccount, sessionToken } from "@/app/_shared/session";
import { chooseOrganization, endSession } from "@/lib/accounts/sessions";

export async function signOut(): Promise<void> {
  const token = await sessionToken();
  if (token !== undefined) await endSession(token);
  await clearSessionToken();
  redirect("/sign-in");
}

/** Only one of the person's own organizations is ever shown, whatever is chosen here. */
export async function switchOrganization(data: FormData): Promise<void> {
  const { account } = await requireAccount();
  const wanted = account.memberships.find(
    ({ organizationId }) => organizationId === data.get("organization"),
  );
  if (wanted) await chooseOrganization(account.sessionId, wanted.organizationId);
  revalidatePath("/", "layout");
  redirect("/dashboard");
}

/** Light, then dark, then as the system has it. */
export async function switchTheme(): Promise<void> {
  const now = await getTheme();
  await setTheme(now === "light" ? "dark" : now === "dark" ? "system" : "light");
  revalidatePath("/", "layout");
}
