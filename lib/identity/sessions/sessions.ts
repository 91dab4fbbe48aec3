import { randomBytes } from "node:crypto";
import { digestOf } from "@/lib/identity/keys/key-format";
import { IS_LIVE } from "@/lib/identity/keys/live-key";
import type { Scope } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { newId } from "@/lib/platform/db/ids";
import { loader } from "@/lib/platform/db/loader";
import { prisma } from "@/lib/platform/db/prisma";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";

export const SESSION_IDLE_SECONDS = 7 * 86_400;
export const SESSION_SECONDS_MAX = 30 * 86_400;
/** Minimum interval between writes of `last_seen_at`. */
const TOUCH_SECONDS = 300;
/** Browsers send 100 to 200 characters. */
const USER_AGENT_MAX = 500;

/** A person's session, or one opened with an API key, which ends with the key. */
export type Session = { id: string } & (
  | {
      userId: string;
      keyId: null;
      email: string | null;
      /** The organization selected in this browser. */
      organizationId: string | null;
    }
  | { userId: null; keyId: string; organizationId: string; scopes: Scope[]; keyName: string }
);

/** Starts a person's session. Returns the cookie's token, which is stored only as a digest. */
export async function createSession(
  userId: string,
  userAgent: string | null,
  tx: Transaction,
): Promise<string> {
  return insert({ user_id: userId, user_agent: cleanUserAgent(userAgent) }, tx);
}

/** Starts a session with an API key's scopes, which ends with the key. */
export async function createKeySession(keyId: string, tx: Transaction): Promise<string> {
  // Only people see a list of their sessions.
  return insert({ key_id: keyId }, tx);
}

/** The live session of a cookie's token. Its use extends its idle timeout, but a check does not. */
export async function findSession(token: string, isUse = true): Promise<Session | undefined> {
  const found = await findLiveSession(digestOf(token));
  if (!found) return undefined;
  const { key: _, stale, ...session } = found;
  if (stale && isUse) {
    await query(sql`UPDATE sessions SET last_seen_at = unix_now() WHERE id = ${session.id}`);
  }
  return session;
}

// (c) Every page reads it.
const findLiveSession = loader<Session & { key: string; stale: boolean }>(
  (digests) => sql`
    SELECT sessions.digest AS key, sessions.id, user_id AS "userId", key_id AS "keyId", email,
           scopes, api_keys.name AS "keyName",
           coalesce(api_keys.organization_id, sessions.organization_id) AS "organizationId",
           last_seen_at <= unix_now() - ${TOUCH_SECONDS}::bigint AS stale
    FROM sessions LEFT JOIN users ON users.id = user_id LEFT JOIN api_keys ON api_keys.id = key_id
    WHERE sessions.digest = ANY (${digests}) AND NOT (${isEnded}) AND ${IS_LIVE}`,
);

/** Selects the organization shown in this browser. */
export async function chooseOrganization(sessionId: string, organizationId: string): Promise<void> {
  await prisma.session.updateMany({
    where: { id: sessionId },
    data: { organization_id: organizationId },
  });
}

/** Signs one browser out. */
export async function endSession(token: string): Promise<void> {
  await prisma.session.deleteMany({ where: { digest: digestOf(token) } });
}

export type SessionSummary = Awaited<ReturnType<typeof listSessions>>[number];

/** A user's live sessions, the most recently used first. */
export async function listSessions(userId: string) {
  const now = await unixNow();
  return prisma.session.findMany({
    where: {
      user_id: userId,
      last_seen_at: { gt: now - SESSION_IDLE_SECONDS },
      created_at: { gt: now - SESSION_SECONDS_MAX },
    },
    select: { id: true, created_at: true, last_seen_at: true, user_agent: true },
    orderBy: [{ last_seen_at: "desc" }, { id: "desc" }],
    take: 100,
  });
}

/** Ends one of the user's own sessions. */
export async function endUserSession(userId: string, id: string): Promise<void> {
  await prisma.session.deleteMany({ where: { id, user_id: userId } });
}

/** Signs a user out everywhere. */
export async function endAllSessions(userId: string): Promise<void> {
  await prisma.session.deleteMany({ where: { user_id: userId } });
}

function cleanUserAgent(userAgent: string | null): string | null {
  return userAgent?.replaceAll(/\p{C}/gu, "").slice(0, USER_AGENT_MAX).trim() || null;
}

async function insert(
  session: { user_id: string; user_agent: string | null } | { key_id: string },
  tx: Transaction,
) {
  const token = randomBytes(32).toString("base64url");
  await tx.session.create({
    data: { id: newId("ses"), digest: digestOf(token), ...session },
    select: { id: true },
  });
  return token;
}

/** Deletes up to `limit` sessions that have ended, and returns their number. */
export function removeEndedSessions(limit: number): Promise<number> {
  return removeRows({ table: sql`sessions`, where: isEnded }, limit);
}

const isEnded = sql`last_seen_at <= unix_now() - ${SESSION_IDLE_SECONDS}::bigint
  OR sessions.created_at <= unix_now() - ${SESSION_SECONDS_MAX}::bigint`;
