"use server";

import { revalidatePath } from "next/cache";
import { accountAction, formAction } from "@/app/_shared/run-action";
import { requireAccount, visitorAddress } from "@/app/_shared/session";
import { once } from "@/lib/api/forms/once";
import { revokeAgent } from "@/lib/identity/agents/manage-agents";
import { KeyCreate, makeKey, revokeKey } from "@/lib/identity/keys/organization-keys";
import { validate } from "@/lib/platform/http/validation";

export interface CreatedKey {
  key: string;
}

/** A second submission of the form with the same input within a day returns the first one's key. */
export const createKey = formAction<CreatedKey>(async (data) => {
  const { caller, account } = await requireAccount();
  const days = Number(data.get("days"));
  const input = validate(KeyCreate, {
    name: String(data.get("name")),
    scopes: String(data.get("scopes")).split(" "),
    expires_in_days: days > 0 ? days : null,
  });
  const id = String(data.get("form"));
  const form = { id, scope: account.sessionId, work: "keys.create", input };
  const key = await once(form, (commit) => makeKey(caller, input, commit));
  // The list below the form shows it, too.
  revalidatePath("/keys");
  return { key };
});

export const revokeKeyOf = accountAction("/keys", ({ caller }, data) =>
  revokeKey(caller, String(data.get("id"))),
);

export const revokeAgentOf = accountAction("/keys", async ({ caller }, data) =>
  revokeAgent(caller, String(data.get("id")), await visitorAddress()),
);
