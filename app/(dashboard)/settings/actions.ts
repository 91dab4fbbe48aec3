"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act, create } from "@/app/_shared/act";
import { accountAction, formAction } from "@/app/_shared/run-action";
import { clearSessionToken, requireAccount } from "@/app/_shared/session";
import { textField } from "@/app/(dashboard)/_shared/form-fields";
import type { ToastResult } from "@/components/ui/action-form";
import { once } from "@/lib/api/forms/once";
import { invite, withdraw } from "@/lib/identity/organizations/invitations";
import type { Role } from "@/lib/identity/organizations/members";
import {
  changeRole,
  createAnother,
  removeMember,
  rename,
} from "@/lib/identity/organizations/organization";
import { requirePerson } from "@/lib/identity/people/person";
import {
  chooseOrganization,
  endAllSessions,
  endUserSession,
} from "@/lib/identity/sessions/sessions";
import type { SigningSecret } from "@/lib/resources/messages/signing-secret";
import { signingSecretOperations as signingSecret } from "@/lib/resources/messages/signing-secret-operations";
import { chooseNotices, noticeKinds } from "@/lib/resources/notices/settings";
import { subscriptionOperations as subscriptions } from "@/lib/resources/subscriptions/operations";

export const renameOrganization = accountAction("/", ({ caller }, data) =>
  rename(caller, String(data.get("name"))),
);

/** A second submission of the form sends no second email. */
export const inviteMember = formAction<ToastResult>(async (data) => {
  const { caller, account } = await requireAccount();
  const [id, email, role] = [String(data.get("form")), String(data.get("email")), roleIn(data)];
  const form = { id, scope: account.sessionId, work: "members.invite", input: [email, role] };
  const isMailed = await once(form, async () => String(await invite(caller, email, role)));
  revalidatePath("/settings");
  if (isMailed !== "false") return null;
  return {
    told: "Invited, but without an email: too many invitations were sent to this address today. They will see the invitation after signing in.",
  };
});

export const withdrawInvitation = accountAction("/settings", ({ caller }, data) =>
  withdraw(caller, String(data.get("id"))),
);

export const removeMemberOf = accountAction("/", ({ caller }, data) =>
  removeMember(caller, String(data.get("id"))),
);

export const changeRoleOf = accountAction("/settings", ({ caller }, data) =>
  changeRole(caller, String(data.get("id")), roleIn(data)),
);

function roleIn(data: FormData): Role {
  return data.get("role") === "owner" ? "owner" : "member";
}

/** A second submission of the form creates no second organization. */
export const createOrganization = accountAction("/", async ({ caller, account }, data) => {
  const work = "organizations.create";
  const name = String(data.get("name"));
  const form = { id: String(data.get("form")), scope: account.sessionId, work, input: name };
  const id = await once(form, (commit) => createAnother(caller, name, commit));
  await chooseOrganization(account.sessionId, id);
  revalidatePath("/", "layout");
  redirect("/dashboard");
});

export const chooseNoticesOf = accountAction("/settings", ({ caller }, data) => {
  const chosen = data.getAll("kinds");
  return chooseNotices(
    caller,
    noticeKinds.filter((kind) => chosen.includes(kind)),
  );
});

export const showSigningSecret = formAction<SigningSecret>(() => act(signingSecret.get));

export const rotateSecret = formAction(async () => {
  await act(signingSecret.rotate);
  revalidatePath("/settings");
});

/** A second submission of the form creates no second subscription. */
export const createSubscription = formAction(async (data) => {
  const target = String(data.get("target")).trim();
  await create(subscriptions.create, data, {
    ...(target.startsWith("inbox_") ? { inbox_id: target } : { url: target }),
    ...(data.has("kinds") && { kinds: data.getAll("kinds") }),
  });
  revalidatePath("/settings");
});

export const deleteSubscription = formAction(async (data) => {
  await act(subscriptions.remove, { params: { id: textField(data, "id") } });
  revalidatePath("/settings");
});

export const endOneSession = accountAction("/settings", ({ caller }, data) =>
  endUserSession(requirePerson(caller).userId, String(data.get("id"))),
);

export const endEverySession = formAction(async () => {
  const { caller } = await requireAccount();
  await endAllSessions(requirePerson(caller).userId);
  await clearSessionToken();
  redirect("/sign-in");
});
