"use server";

import { revalidatePath } from "next/cache";
import { attempt } from "@/app/_shared/attempt";
import { accountOf } from "@/app/_shared/session";
import type { Complaint } from "@/components/ui/action-form";
import { KeyCreate, makeKey, revokeKey } from "@/lib/accounts/organization-keys";
import { writeOnce } from "@/lib/http/once";
import { validate } from "@/lib/http/validation";
import type { MadeKey } from "./_components/create-key-form";

const DAY_SECONDS = 86_400;

/** The same form again, within a day, shows the key that it made the first time. */
export async function createKey(_: MadeKey, data: FormData): Promise<MadeKey> {
  let key: string | null = null;
  const complaint = await attempt(async () => {
    const { caller, account } = await accountOf();
    const days = Number(data.get("days"));
    const input = validate(KeyCreate, {
      name: String(data.get("name")),
      scopes: String(data.get("scopes")).split(" "),
      expires_at: days > 0 ? Math.floor(Date.now() / 1000) + days * DAY_SECONDS : null,
    });
    const form = { id: String(data.get("form")), scope: account.sessionId, work: "keys.create" };
    key = await writeOnce(form, async (db) => (await makeKey(caller, input, db)).key);
  });
  return { key, complaint: complaint?.message ?? null };
}

export async function revokeKeyOf(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { caller } = await accountOf();
    await revokeKey(caller, String(data.get("id")));
    revalidatePath("/keys");
  });
}
