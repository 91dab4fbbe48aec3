import { prisma } from "@/lib/platform/db/prisma";
import { type Mail, sendMail } from "@/lib/platform/mail/send";
import type { Code } from "./otp";

/**
 * Mails a prepared code, unless it is a shared one that was mailed already. `mail` gets the address
 * of the client, which a shared code does not have. If the mail is refused, deletes the code and throws.
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
    await prisma.oneTimeCode.deleteMany({ where: { id, activated_at: null } });
    throw error;
  }
}
