import { setTimeout as pause } from "node:timers/promises";
import { audit } from "@/lib/identity/audit/audit";
import { normalizeEmail } from "@/lib/identity/people/email";
import { mailCode } from "@/lib/identity/people/mail-code";
import { activateCode } from "@/lib/identity/people/otp";
import {
  areShortCodesGuessed,
  SHORT_DIGITS,
  TRIES_PER_CODE,
} from "@/lib/identity/people/otp-limits";
import { type Code, prepareCode } from "@/lib/identity/people/prepare-code";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { type Commit, commitDecision } from "@/lib/platform/db/commit";
import { type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError, rateLimited } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { invalidRequest, readClaim } from "./body";
import { claimMail } from "./claim-mail";
import { ClaimStart, type ClaimStarted } from "./contract";
import { refuseClaim } from "./limits";
import { expiryError, lockByClaimToken, type Registration } from "./registrations";

/** A repeated request within this time gets the same attempt and no second email. */
export const REPEAT_SECONDS = 60;
export const MAILS_PER_REGISTRATION = 5;
/** How often, and how many times, a repeated request checks whether the previous one's mail was accepted. */
const LOOK_MS = 1000;
const LOOKS_MAX = 10;

/** Starts a claim of a registration by mailing its user a code. It keeps the count of failures. */
export async function startClaim(request: HttpRequest, commit: Commit): Promise<ClaimStarted> {
  const { claim_token, email } = await readClaim(ClaimStart, request, "start");
  const ip = clientAddress(request);
  const to = normalizeEmail(email);
  if (to === undefined) throw invalidRequest('"email" must be one email address.', "email");

  const prepared = await prepareOnceMailed((tx) => prepare(tx, claim_token, to, ip)).catch(
    (error) => refuseClaim(error, ip),
  );
  if (prepared instanceof ApiError) throw prepared;
  const { registration, echo, code } = prepared;
  if (echo) return claimStarted(registration.id, echo.id, echo.expires_at);
  await mailCode(code, ip, (digits, shownIp) => claimMail(to, digits, shownIp));
  return commitDecision(commit, async (tx) => {
    const active = await activate(tx, claim_token, { ...code, to }, ip);
    if (active instanceof ApiError) return active;
    return claimStarted(registration.id, active.id, active.expires_at);
  });
}

type Prepared = { registration: Registration } & (
  | { echo: Attempt; code?: undefined }
  | { echo?: undefined; code: Code }
);

type Attempt = Row<"OneTimeCode", "id" | "expires_at">;

const STILL_MAILING_SECONDS = 5;

/** The attempt to repeat is not certain yet: its mail may still be refused. */
interface Mailing {
  /** The seconds until a repeated request starts a new attempt. */
  repeatsFor: number;
}

/** Waits while the mail of an earlier request is being sent. Throws 429 if that takes long. */
async function prepareOnceMailed(
  look: (tx: Transaction) => Promise<Prepared | ApiError | Mailing>,
): Promise<Prepared | ApiError> {
  for (let looks = 1; ; looks += 1) {
    const prepared = await transaction(look);
    if (!("repeatsFor" in prepared)) return prepared;
    if (looks === LOOKS_MAX) throw stillMailing(prepared);
    await pause(LOOK_MS);
  }
}

async function prepare(
  tx: Transaction,
  claimToken: string,
  email: string,
  ip: string | null,
): Promise<Prepared | ApiError | Mailing> {
  const registration = await lockByClaimToken(tx, claimToken);
  const refusal = await claimError(tx, registration, ip);
  if (refusal) return refusal;
  if (registration.type === "service_auth" && email !== registration.login_hint) {
    throw invalidRequest('"email" must be the login_hint of the registration.', "email");
  }
  // Includes attempts whose mail is still being sent, so that a retry does not send a second one.
  const attempts = await tx.oneTimeCode.findMany({
    where: { purpose: "claim", subject: registration.id },
    select: {
      id: true,
      email: true,
      expires_at: true,
      created_at: true,
      activated_at: true,
      mac: true,
      digits: true,
      failures: true,
    },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
  });
  const latest = attempts[0];
  const repeatsFor = (latest?.created_at ?? 0) + REPEAT_SECONDS - (await unixNow(tx));
  const isRepeat = repeatsFor > 0 && latest?.email === email;
  // A code that was used, or guessed at too often, can no longer complete a claim.
  const isUsable =
    isRepeat &&
    latest.mac !== "" &&
    latest.failures < TRIES_PER_CODE &&
    (latest.digits !== SHORT_DIGITS || !(await areShortCodesGuessed(tx)));
  if (isUsable) {
    return latest.activated_at === null ? { repeatsFor } : { registration, echo: latest };
  }
  if (attempts.length >= MAILS_PER_REGISTRATION) throw tooManyMails(registration);
  const wanted = { purpose: "claim", subject: registration.id, email, client: { ip } } as const;
  const code = await prepareCode(tx, wanted);
  return { registration, code };
}

/**
 * Activates the code once its mail was accepted, unless the claim has ended in between. Returns the attempt whose code
 * completes the claim, which is a later one if that was mailed faster.
 */
async function activate(
  tx: Transaction,
  claimToken: string,
  code: Code & { to: string },
  ip: string | null,
): Promise<Attempt | ApiError> {
  const registration = await lockByClaimToken(tx, claimToken);
  const refusal = await claimError(tx, registration, ip);
  if (refusal) return refusal;
  const later = await activateCode(tx, "claim", code.id);
  const active = later ?? { id: code.id, expires_at: code.expiresAt };
  await tx.agentRegistration.update({
    where: { id: registration.id },
    data: { current_attempt_id: active.id },
    select: { id: true },
  });
  const { id, organization_id: organizationId } = registration;
  const event = { actor: id, registrationId: id, organizationId, ip };
  await audit(tx, { ...event, action: "claim.requested", data: { email: code.to } });
  await audit(tx, { ...event, action: "otp.generated" });
  return active;
}

/** Why a registration cannot be claimed. Throw it after the commit. */
async function claimError(
  tx: Transaction,
  registration: Registration,
  ip: string | null,
): Promise<ApiError | undefined> {
  if (registration.revoked_at !== null || registration.type === "agent-provider") {
    return new ApiError("claimed_or_in_flight", "This registration cannot be claimed.");
  }
  if (registration.claimed_at !== null) {
    return new ApiError("claimed_or_in_flight", "This registration has already been claimed.");
  }
  return expiryError(tx, registration, ip);
}

function tooManyMails({ seconds_left }: Registration) {
  return rateLimited("This registration has reached its limit of emails.", seconds_left);
}

/** Asks for a repeat while it is still answered by the attempt. */
function stillMailing({ repeatsFor }: Mailing) {
  const seconds = Math.min(repeatsFor, STILL_MAILING_SECONDS);
  return rateLimited("The email of this claim is still being sent. Try again.", seconds);
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
