"use server";

import { revalidatePath } from "next/cache";
import { runAction } from "@/app/_shared/run-action";
import { requireAccount } from "@/app/_shared/session";
import type { FormResult } from "@/components/ui/action-form";
import { KeyCreate, makeKey, revokeKey } from "@/lib/accounts/organization-keys";
import { writeOnce } from "@/lib/forms/once";
import { validate } from "@/lib/http/validation";
import type { CreatedKey } from "./_components/create-key-form";

const DAY_SECONDS = 86_400;

/** The same form again, within a day, shows the key that it made the first time. */
export async function createKey(_: CreatedKey, data: FormData): Promise<CreatedKey> {
  let key: string | null = null;
  const error = await runAction(async () => {
    const { caller, account } = await requireAccount();
    const days = Number(data.get("days"));
    const input = validate(KeyCreate, {
      name: String(data.get("name")),
      scopes: String(data.get("scopes")).split(" "),
      expires_at: days > 0 ? Math.floor(Date.now() / 1000) + days * DAY_SECONDS : null,
    });
    const form = { id: String(data.get("form")), scope: account.sessionId, work: "keys.create" };
    key = await writeOnce(form, async (db) => (await makeKey(caller, input, db)).key);
  });
  return { key, error: error?.message ?? null };
}

export async function revokeKeyOf(_: FormResult, data: FormData): Promise<FormResult> {
  return runAction(async () => {
    const { caller } = await requireAccount();
    await revokeKey(caller, String(data.get("id")));
    revalidatePath("/keys");
  });
}
