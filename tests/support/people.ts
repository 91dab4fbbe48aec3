import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { BrowserContext } from "playwright/test";
import { randomText, sha256 } from "./keys";
import { rowsOf } from "./rows";

export interface Person {
  id: string;
  email: string;
}

/** Inserts a person who belongs to this organization. */
export async function makePerson(
  db: Pool,
  organizationId: string,
  role: "owner" | "member" = "owner",
): Promise<Person> {
  const id = `usr_${randomText(25)}`;
  const email = `${randomText(12).toLowerCase()}@example.com`;
  await db.query("INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, unix_now())", [
    id,
    email,
  ]);
  await rowsOf(db).member.create({ data: { organization_id: organizationId, user_id: id, role } });
  return { id, email };
}

/** Inserts a session and returns the cookie's token. */
export async function openSession(db: Pool, userId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await rowsOf(db).session.create({
    data: { id: `ses_${randomText(25)}`, user_id: userId, digest: sha256(token) },
  });
  return token;
}

/** The `Cookie` header of a new session. */
export async function cookieOf(db: Pool, userId: string): Promise<string> {
  return `session=${await openSession(db, userId)}`;
}

/** The `Cookie` header of a new session that was opened with this key. */
export async function keyCookieOf(db: Pool, key: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const { id } = await rowsOf(db).apiKey.findFirstOrThrow({ where: { digest: sha256(key) } });
  await rowsOf(db).session.create({
    data: { id: `ses_${randomText(25)}`, key_id: id, digest: sha256(token) },
  });
  return `session=${token}`;
}

export async function signIn(context: BrowserContext, baseUrl: string, token: string) {
  await context.addCookies([
    { name: "session", value: token, url: baseUrl, httpOnly: true, sameSite: "Lax" },
  ]);
}

/** The name of what this person's only session shows of an organization; pages open their stream with it. */
export async function viewOf(db: Pool, userId: string, organizationId: string): Promise<string> {
  const { id } = await rowsOf(db).session.findFirstOrThrow({ where: { user_id: userId } });
  const view = `${id} ${organizationId}`;
  return createHash("sha256").update(view).digest("base64url").slice(0, 16);
}
