import { audit } from "@/lib/identity/audit/audit";
import { normalizeEmail } from "@/lib/identity/people/email";
import { activateCode, type Code, discardCode, prepareCode } from "@/lib/identity/people/otp";
import { type Commit, together, UNRECORDED } from "@/lib/platform/db/commit";
import { query, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { sendMail } from "@/lib/platform/mail/send";
import { check, invalidRequest, readObject } from "./body";
import { claimMail } from "./claim-mail";
import { ClaimStart, type ClaimStarted } from "./contract";
import { countClaim } from "./limits";
import { expiryError, lockByClaimToken, type Registration } from "./registrations";

/** A repeated request within this time gets the same attempt and no second email. */
const REPEAT_SECONDS = 60;
export const MAILS_PER_REGISTRATION = 5;

/**
 * Starts or restarts the claim of a registration by mailing its user a code. A new attempt replaces
 * the previous one but keeps its failure count.
 */
export async function startClaim(request: HttpRequest, commit: Commit): Promise<ClaimStarted> {
  const { claim_token, email } = await readBody(request);
  await countClaim(request, "start");
  const ip = clientAddress(request);
  const to = normalizeEmail(email);
  if (to === undefined) throw invalidRequest('"email" must be one email address.', "email");

  const prepared = await transaction((db) => prepare(db, claim_token, to, ip));
  if (prepared instanceof ApiError) throw prepared;
  const { registration, echo, code } = prepared;
  if (echo) return claimStarted(registration.id, echo.id, echo.expires_at);
  try {
    if (code.digits !== null) await sendMail(claimMail(to, code.digits, code.isShared ? null : ip));
  } catch (error) {
    await discardCode(code.id);
    throw error;
  }
  // An error whose side effects must be committed.
  let refused: ApiError | undefined;
  const activated = together(async (db) => {
    refused = await activate(db, claim_token, { id: code.id, to }, ip);
    return refused ? UNRECORDED : claimStarted(registration.id, code.id, code.expiresAt);
  });
  const started = await commit(activated);
  if (started === UNRECORDED) throw refused;
  return started;
}

async function readBody(request: HttpRequest): Promise<ClaimStart> {
  try {
    return check(ClaimStart, await readObject(request));
  } catch (error) {
    await countClaim(request, "start");
    throw error;
  }
}

type Prepared = { registration: Registration } & (
  | { echo: Attempt; code?: undefined }
  | { echo?: undefined; code: Code }
);

interface Attempt {
  id: string;
  email: string;
  expires_at: number;
  is_fresh: boolean;
}

async function prepare(
  db: Transaction,
  claimToken: string,
  email: string,
  ip: string | null,
): Promise<Prepared | ApiError> {
  const registration = await lockByClaimToken(db, claimToken);
  const refusal = await claimError(db, registration, ip);
  if (refusal) return refusal;
  if (registration.type === "service_auth" && email !== registration.login_hint) {
    throw invalidRequest('"email" must be the login_hint of the registration.', "email");
  }
  // Include attempts whose mail is still being sent, so that a retry does not send a second one.
  const attempts = await query<Attempt>(
    sql`SELECT id, email, expires_at, created_at > unix_now() - ${REPEAT_SECONDS}::bigint AS is_fresh
        FROM one_time_codes WHERE purpose = 'claim' AND subject = ${registration.id}
        ORDER BY id DESC`,
    db,
  );
  const latest = attempts[0];
  if (latest?.is_fresh && latest.email === email) return { registration, echo: latest };
  if (attempts.length >= MAILS_PER_REGISTRATION) throw tooManyMails(registration);
  const wanted = { purpose: "claim", subject: registration.id, email, client: { ip } } as const;
  const code = await prepareCode(db, wanted);
  return { registration, code };
}

/** After the mail was accepted, makes its code the active one, unless the claim has ended since. */
async function activate(
  db: Transaction,
  claimToken: string,
  attempt: { id: string; to: string },
  ip: string | null,
): Promise<ApiError | undefined> {
  const registration = await lockByClaimToken(db, claimToken);
  const refusal = await claimError(db, registration, ip);
  if (refusal) return refusal;
  await activateCode(db, "claim", attempt.id);
  await query(
    sql`UPDATE agent_registrations SET current_attempt_id = ${attempt.id}
        WHERE id = ${registration.id}`,
    db,
  );
  const { id, organization_id: organizationId } = registration;
  const event = { actor: id, registrationId: id, organizationId, ip };
  await audit(db, { ...event, action: "claim.requested", data: { email: attempt.to } });
  await audit(db, { ...event, action: "otp.generated" });
  return undefined;
}

/** Why a registration cannot be claimed. Throw it after the commit. */
async function claimError(
  db: Transaction,
  registration: Registration,
  ip: string | null,
): Promise<ApiError | undefined> {
  if (registration.revoked_at !== null || registration.type === "agent-provider") {
    return new ApiError("claimed_or_in_flight", "This registration cannot be claimed.");
  }
  if (registration.claimed_at !== null) {
    return new ApiError("claimed_or_in_flight", "This registration has already been claimed.");
  }
  return expiryError(db, registration, ip);
}

function tooManyMails({ seconds_left }: Registration) {
  return new ApiError("rate_limited", "This registration has reached its limit of emails.", {
    headers: { "Retry-After": String(Math.max(seconds_left, 1)) },
  });
}

function claimStarted(registrationId: string, attemptId: string, expiresAt: number): ClaimStarted {
  return {
    registration_id: registrationId,
    claim_attempt_id: attemptId,
    status: "initiated",
    expires_at: expiresAt,
    otp_expires: expiresAt,
  };
}
