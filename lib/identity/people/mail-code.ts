import { query, sql, transaction } from "@/lib/platform/db/sql";
import { type Mail, sendMail } from "@/lib/platform/mail/send";
import { lockAddress } from "./otp";
import type { Code } from "./prepare-code";

/**
 * Mails a prepared code, unless it is a shared one that was mailed already. `mail` gets the address
 * of the client, which a shared code does not have. If the mail is refused, forgets the code and throws.
 */
export async function mailCode(
  { id, digits, isShared }: Code,
  ip: string | null,
  mail: (digits: string, ip: string | null) => Mail,
): Promise<void> {
  if (digits === null) return;
  try {
    await sendMail(mail(digits, isShared ? null : ip));
  } catch (error) {
    await forget(id);
    throw error;
  }
}

/**
 * Deletes a code that was not mailed. Requests made in the meantime share the code and sent no mail either, so they end
 * too, and the next request sends one.
 */
async function forget(id: string) {
  await transaction(async (tx) => {
    await lockAddress(tx, sql`SELECT email FROM one_time_codes WHERE id = ${id}`);
    // (a) If the mail arrived after all and its code was used, others have been mailed the next one.
    await query(
      sql`WITH refused AS (
            DELETE FROM one_time_codes WHERE id = ${id} AND activated_at IS NULL RETURNING *
          )
          UPDATE one_time_codes AS other SET activated_at = NULL, mac = '' FROM refused
          WHERE refused.mac <> '' AND other.id <> refused.id AND other.purpose = refused.purpose
            AND other.email = refused.email AND other."window" = refused."window"
            AND other.expires_at = refused.expires_at
            AND other.consumed_at IS NULL`,
      tx,
    );
  });
}
