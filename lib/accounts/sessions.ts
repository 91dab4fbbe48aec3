import { randomBytes } from "node:crypto";
import { newId } from "@/lib/db/ids";
import { type Db, query, queryOne, sql } from "@/lib/db/sql";
import { digestOf } from "./key-format";

export const SESSION_IDLE_SECONDS = 7 * 86_400;
export const SESSION_SECONDS_MAX = 30 * 86_400;
/** `last_seen_at` is written at most this often. */
const TOUCH_SECONDS = 300;

export interface Session {
  id: string;
  userId: string;
  email: string | null;
}

/** Starts a session; the answer is the token for the cookie, 256 random bits that are not stored. */
export async function createSession(userId: string, db?: Db): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await query(
    sql`INSERT INTO sessions (id, user_id, digest)
        VALUES (${newId("ses")}, ${userId}, ${digestOf(token)})`,
    db,
  );
  await removeEnded(db);
  return token;
}

/** The live session of a cookie's token; its use keeps it alive. */
export async function findSession(token: string): Promise<Session | undefined> {
  const found = await queryOne<Session & { stale: boolean }>(sql`
    SELECT sessions.id, user_id AS "userId", email,
           last_seen_at <= unix_now() - ${TOUCH_SECONDS}::bigint AS stale
    FROM sessions JOIN users ON users.id = user_id
    WHERE digest = ${digestOf(token)} AND NOT (${isEnded})`);
  if (!found) return undefined;
  const { stale, ...session } = found;
  if (stale) {
    await query(sql`UPDATE sessions SET last_seen_at = unix_now() WHERE id = ${session.id}`);
  }
  return session;
}

/** Signs one browser out. */
export async function endSession(token: string): Promise<void> {
  await query(sql`DELETE FROM sessions WHERE digest = ${digestOf(token)}`);
}

/** Signs a user out everywhere. */
export async function endAllSessions(userId: string): Promise<void> {
  await query(sql`DELETE FROM sessions WHERE user_id = ${userId}`);
}

const isEnded = sql`last_seen_at <= unix_now() - ${SESSION_IDLE_SECONDS}::bigint
  OR sessions.created_at <= unix_now() - ${SESSION_SECONDS_MAX}::bigint`;

async function removeEnded(db?: Db) {
  await query(
    sql`DELETE FROM sessions WHERE id IN (
          SELECT id FROM sessions WHERE ${isEnded} LIMIT 10 FOR UPDATE SKIP LOCKED)`,
    db,
  );
}
