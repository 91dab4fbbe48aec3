import { randomInt } from "node:crypto";
import { digestOf, newSecret } from "@/lib/identity/keys/key-format";
import { callerOf } from "@/lib/identity/organizations/members";
import { requireMember, requirePerson } from "@/lib/identity/people/person";
import type { Caller, Scope } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { unixNow } from "@/lib/platform/db/clock";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { commitDecision, unrecorded } from "@/lib/platform/db/commit";
import { prisma } from "@/lib/platform/db/prisma";
import { queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { countByNetwork, countRecentUse, refundUse } from "@/lib/platform/limits/sliding-window";
import { commandLine } from "./clients";
import { type DeviceAuthorization, POLL_SECONDS, type TokenResponse } from "./contract";
import { assertGrantQuota, createGrant, IS_MEMBER } from "./grant";
import { deviceGuessLimit, oauthLimits } from "./limits";
import { readForm, required } from "./parameters";
import { assertAudience, audienceOf, requestedScopes } from "./resource";
import { DEVICE_PREFIX, secretDigest } from "./secrets";

/** Long enough to find a browser, fetch a code from the mailbox and sign in. */
export const DEVICE_SECONDS = 900;
/** Consonants only, so that no code is a word (RFC 8628 §6.1). */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/**
 * Begins a sign-in on a machine without a browser (RFC 8628): returns a code for the program, and
 * one that the person types on another machine. Only for our own command line: anyone could send
 * people the code of another client.
 */
export async function startDevice(request: HttpRequest): Promise<DeviceAuthorization> {
  const ip = clientAddress(request);
  await countByNetwork("oauth-device", ip, oauthLimits.device_codes_per_network);
  const parameters = await readForm(request);
  if (required(parameters, "client_id") !== commandLine.id) {
    throw new ApiError("invalid_client", `Only ${commandLine.id} may sign in with a code.`);
  }
  const deviceCode = newSecret(DEVICE_PREFIX);
  const userCode = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(
    "",
  );
  const now = await unixNow();
  await prisma.oAuthDeviceCode.create({
    data: {
      digest: digestOf(deviceCode),
      user_code: userCode,
      client_id: commandLine.id,
      audience: audienceOf(parameters.get("resource")),
      scopes: requestedScopes(parameters.get("scope")),
      ip,
      created_at: now,
      expires_at: now + DEVICE_SECONDS,
    },
    select: { digest: true },
  });
  const shown = legible(userCode);
  const page = `${config().baseUrl}/oauth/device`;
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shown}`,
    expires_in: DEVICE_SECONDS,
    interval: POLL_SECONDS,
  };
}

/**
 * The undecided request with the code that a person typed, in any spelling. Undefined if there is
 * none, which counts as a guess. Throws 429 after too many.
 */
export async function findDevice(typed: string, personId: string) {
  const guesses = `oauth-device:${personId}`;
  // Before the look-up, so that parallel guesses count too.
  await countRecentUse(guesses, deviceGuessLimit);
  const user_code = normal(typed);
  const device = await prisma.oAuthDeviceCode.findFirst({
    where: { ...(await undecided()), user_code },
    select: { scopes: true, audience: true, ip: true, created_at: true },
  });
  if (!device) return undefined;
  await refundUse(guesses);
  return { ...device, user_code: legible(user_code) };
}

/** Lets the program act for the person in one of their organizations, or refuses it. Throws 400 and 403. */
export async function decideDevice(
  caller: Caller,
  typed: string,
  decision: { organizationId: string; mayWrite: boolean } | "deny",
): Promise<void> {
  const { userId } = requirePerson(caller);
  const device = await findDevice(typed, userId);
  if (!device) throw unknownUserCode();
  const agreed = decision === "deny" ? undefined : await chosen(userId, device, decision);
  const where = { ...(await undecided()), user_code: normal(typed) };
  const { count } = await transaction(async (tx) => {
    // The end of the membership waits, and then deletes the code.
    if (agreed) await requireMember(agreed.member, tx);
    // Of two concurrent decisions, the first one counts.
    const data = { user_id: userId, ...agreed?.terms };
    return tx.oAuthDeviceCode.updateMany({ where, data });
  });
  if (count === 0) throw unknownUserCode();
}

/** The tokens of a program whose person has agreed. Throws the errors of RFC 8628 §3.5. */
export async function exchangeDevice(
  parameters: ReadonlyMap<string, string>,
  clientId: string,
  ip: string | null,
): Promise<TokenResponse> {
  const digest = secretDigest(DEVICE_PREFIX, required(parameters, "device_code"));
  if (digest === undefined) throw unknownDevice();
  return commitDecision(unrecorded, async (tx) => {
    // (a) The row lock decides between two concurrent exchanges of a code.
    const device = await queryOne<Polled>(
      sql`SELECT ${POLLED}, expires_at <= unix_now() AS is_expired,
            polled_at > unix_now() - ${POLL_SECONDS - 1} AS is_early, ${IS_MEMBER} AS is_member
          FROM oauth_device_codes AS codes WHERE digest = ${digest} FOR UPDATE`,
      tx,
    );
    if (device?.client_id !== clientId) throw unknownDevice();
    if (device.is_expired) {
      throw new ApiError("expired_token", "The code has expired. Start the sign-in again.");
    }
    const { user_id, organization_id } = device;
    if (user_id === null) {
      const data = { polled_at: await unixNow(tx) };
      await tx.oAuthDeviceCode.update({ where: { digest }, data, select: { digest: true } });
      // Returned, so that the transaction keeps the time of the request.
      return undecidedYet(device.is_early === true);
    }
    if (organization_id === null) throw new ApiError("access_denied", "The person refused.");
    assertAudience(parameters, device);
    if (!device.is_member) throw unknownDevice();
    const granted = { ...device, user_id, organization_id };
    const { tokens } = await createGrant(
      tx,
      { ...granted, client_name: commandLine.name, client_host: "another computer" },
      ip,
    );
    await tx.oAuthDeviceCode.delete({ where: { digest }, select: { digest: true } });
    return tokens;
  });
}

const POLLED = columns("OAuthDeviceCode", "client_id, user_id, organization_id, audience, scopes");

type Polled = RowOf<typeof POLLED> & {
  is_expired: boolean;
  /** null before the first request. Clocks count whole seconds, so one second is allowed for. */
  is_early: boolean | null;
  is_member: boolean;
};

function undecidedYet(isEarly: boolean): ApiError {
  return isEarly
    ? new ApiError("slow_down", `Wait ${POLL_SECONDS} seconds longer between requests.`)
    : new ApiError("authorization_pending", "The person has not decided yet.");
}

async function chosen(
  userId: string,
  { scopes }: { scopes: Scope[] },
  { organizationId, mayWrite }: { organizationId: string; mayWrite: boolean },
) {
  const member = await callerOf(userId, organizationId);
  await assertGrantQuota(userId, organizationId, "forbidden");
  const allowed: Scope[] = mayWrite ? scopes : ["api.read"];
  return { member, terms: { organization_id: organizationId, scopes: allowed } };
}

async function undecided() {
  return { user_id: null, expires_at: { gt: await unixNow() } };
}

/** A user code as people read it: `WDJB-MJHT`. */
function legible(userCode: string): string {
  return `${userCode.slice(0, LENGTH / 2)}-${userCode.slice(LENGTH / 2)}`;
}

function normal(typed: string): string {
  return typed
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, "")
    .slice(0, LENGTH + 1);
}

function unknownUserCode() {
  return new ApiError("invalid_grant", "No program waits for this code. It may have expired.");
}

function unknownDevice() {
  return new ApiError("invalid_grant", "The device_code is unknown, used or not for this client.");
}
