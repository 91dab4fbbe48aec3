"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { formAction } from "@/app/_shared/run-action";
import { clearSessionToken, requireAccount } from "@/app/_shared/session";
import { deleteAccount, deleteOrganization } from "@/lib/identity/people/deletion";
import { requirePerson } from "@/lib/identity/people/person";
import { endAllSessions } from "@/lib/identity/sessions/sessions";
import { removeDeletedNow } from "@/lib/upkeep/sweep";

export const removeOrganization = formAction(async (data) => {
  const { caller, account } = await requireAccount();
  const { userId } = requirePerson(caller);
  await deleteOrganization(caller, String(data.get("typed")));
  await removeDeletedNow();
  revalidatePath("/", "layout");
  if (account.memberships.length > 1) redirect("/dashboard");
  await endAllSessions(userId);
  await clearSessionToken();
  redirect("/sign-in");
});

export const removeAccount = formAction(async (data) => {
  const { caller } = await requireAccount();
  await deleteAccount(caller, String(data.get("typed")));
  await removeDeletedNow();
  await clearSessionToken();
  redirect("/");
});
