import { transaction } from "@/lib/db/sql";
import { ApiError, invalidParam } from "@/lib/errors";
import { countRecentUse } from "@/lib/http/sliding-window";
import { sendMail } from "@/lib/mail/send";
import { audit } from "./audit";
import { browserProof, codeSource } from "./code-source";
import { normalizeEmail } from "./email";
import { primaryOrganization } from "./members";
import { activateCode, consumeCode, discardCode, prepareCode, tryCode } from "./otp";
import { createSession } from "./sessions";
import { signInMail } from "./sign-in-mail";
import { findOrCreateUser } from "./users";

/** Sign-ins begun from one network, or by one browser that is known. */
export const STARTS = { limit: 30, windowSeconds: 600, guardsSecret: true } as const;

export interface SignIn {
  /** Names the attempt; the browser that began it brings it back with the code. */
  id: string;
  /** Unix seconds. */
  expiresAt: number;
}

/**
 * Sends a one-time code to a human. The answer is the same whether or not the address has an
 * account. `proof` is what an earlier sign-in left in the browser. Throws 400 for what is no address,
 * 429 after too many codes, 503 when mail is refused.
 */
export async function startSignIn(
  email: string,
  ip: string | null,
  proof?: string,
): Promise<SignIn> {
  const to = normalizeEmail(email);
  const client = { ip, proof };
  await countRecentUse(`sign-in:${codeSource(to ?? "", client)}`, STARTS);
  if (to === undefined) throw invalidParam("email", "Enter one e-mail address.");
  const code = await transaction((db) =>
    // No subject: a stranger who asks for a code does not destroy the one that its owner waits for.
    prepareCode(db, { purpose: "sign-in", email: to, client }),
  );
  try {
    if (code.digits !== null)
      await sendMail(signInMail(to, code.digits, code.isShared ? null : ip));
  } catch (error) {
    await discardCode(code.id);
    throw error;
  }
  await transaction((db) => activateCode(db, "sign-in", code.id));
  return { id: code.id, expiresAt: code.expiresAt };
}

/**
 * Signs the human in whose code this is, and gives the session's token and the browser's proof. A
 * first sign-in makes the user and a personal organization. Throws 401 `otp_invalid`, 410
 * `otp_expired` when the code can open nothing any more, and 429 after too many wrong codes.
 */
export async function completeSignIn(
  id: string,
  digits: string,
  ip: string | null,
  userAgent: string | null = null,
  proof?: string,
): Promise<{ token: string; userId: string; proof: string }> {
  const signedIn = await transaction(async (db) => {
    const right = await tryCode(db, { purpose: "sign-in", id, digits, client: { ip, proof } });
    // A wrong try must be kept, so it leaves the transaction as a value.
    if (right === false) await audit(db, { action: "otp.failed", actor: id, ip });
    if (!right) return right;
    const email = await consumeCode(db, "sign-in", id);
    if (email === undefined) return undefined;
    const userId = await findOrCreateUser(db, email);
    const organizationId = await primaryOrganization(db, userId, email);
    await audit(db, { action: "session.started", actor: userId, organizationId, ip });
    const token = await createSession(userId, userAgent, db);
    return { token, userId, proof: browserProof(email) };
  });
  if (signedIn === false) {
    throw new ApiError("otp_invalid", "The code is not the one that was sent.");
  }
  if (signedIn === undefined) {
    throw new ApiError("otp_expired", "The code is no longer valid. Ask for a new one.");
  }
  return signedIn;
}
