import { audit } from "@/lib/identity/audit/audit";
import { primaryOrganization } from "@/lib/identity/organizations/members";
import { createSession } from "@/lib/identity/sessions/sessions";
import { config } from "@/lib/platform/config/config";
import { transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { countRecentUse } from "@/lib/platform/limits/sliding-window";
import type { Mail } from "@/lib/platform/mail/send";
import { browserProof, codeSource } from "./code-source";
import { normalizeEmail } from "./email";
import { mailCode } from "./mail-code";
import { activateCode, consumeCode, tryCode } from "./otp";
import { CODE_SECONDS, prepareCode } from "./prepare-code";
import { findOrCreateUser } from "./users";

/** Sign-ins started from one network or known browser. */
export const SIGN_IN_LIMIT = { limit: 30, windowSeconds: 600, guardsSecret: true } as const;

interface SignIn {
  /** Identifies the attempt; sent back with the code. */
  id: string;
  /** Unix seconds. */
  expiresAt: number;
}

/**
 * Mails a one-time code. The response does not reveal whether the address has an account. `proof`
 * comes from an earlier sign-in in this browser. Throws 400 for an invalid address, 429 after too
 * many codes and 503 if the mail is refused.
 */
export async function startSignIn(
  email: string,
  ip: string | null,
  proof?: string,
): Promise<SignIn> {
  const to = normalizeEmail(email);
  const client = { ip, proof };
  await countRecentUse(`sign-in:${codeSource(to ?? "", client)}`, SIGN_IN_LIMIT);
  if (to === undefined) throw invalidParam("email", "Enter one email address.");
  const code = await transaction((tx) =>
    // No subject: a stranger who requests a code must not invalidate the owner's.
    prepareCode(tx, { purpose: "sign-in", email: to, client }),
  );
  await mailCode(code, ip, (digits, shownIp) => signInMail(to, digits, shownIp));
  await transaction((tx) => activateCode(tx, "sign-in", code.id));
  return { id: code.id, expiresAt: code.expiresAt };
}

/**
 * Signs in with a code and returns the session's token and the browser's proof. A first sign-in
 * creates the user and a personal organization. Throws 401 `otp_invalid`, 410 `otp_expired`, and
 * 429 after too many wrong codes.
 */
export async function completeSignIn(
  id: string,
  digits: string,
  ip: string | null,
  userAgent: string | null = null,
  proof?: string,
): Promise<{ token: string; userId: string; proof: string }> {
  const signedIn = await transaction(async (tx) => {
    const right = await tryCode(tx, { purpose: "sign-in", id, digits, client: { ip, proof } });
    // A failed attempt must be committed, so its error is returned, not thrown.
    if (right === false) await audit(tx, { action: "otp.failed", actor: id, ip });
    if (!right) return right;
    const email = await consumeCode(tx, "sign-in", id);
    if (email === undefined) return undefined;
    const userId = await findOrCreateUser(tx, email);
    const organizationId = await primaryOrganization(tx, userId, email);
    await audit(tx, { action: "session.started", actor: userId, organizationId, ip });
    const token = await createSession(userId, userAgent, tx);
    return { token, userId, proof: browserProof(email) };
  });
  if (signedIn === false) {
    throw new ApiError("otp_invalid", "The code is incorrect.");
  }
  if (signedIn === undefined) {
    throw new ApiError("otp_expired", "The code is no longer valid. Request a new one.");
  }
  return signedIn;
}

/** The email with a sign-in code. Contains no text that a third party could choose. */
function signInMail(to: string, digits: string, ip: string | null): Mail {
  const { baseUrl } = config();
  return {
    to,
    otp: digits,
    subject: "Your sign-in code for Agent Infrastructure",
    text: `Your code to sign in at ${baseUrl}:

    ${digits}

It is valid for ${CODE_SECONDS / 60} minutes, in the browser that requested it.

Requested at ${new Date().toUTCString()}${ip === null ? "" : ` from ${ip}`}.
If this was not you, ignore this email and do not share the code.
`,
  };
}
