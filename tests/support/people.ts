import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { BrowserContext } from "playwright/test";
import { randomText, sha256 } from "./keys";

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
  await db.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, $3)", [
    organizationId,
    id,
    role,
  ]);
  return { id, email };
}

/** Inserts a session and returns the cookie's token. */
export async function openSession(db: Pool, userId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.query("INSERT INTO sessions (id, user_id, digest) VALUES ($1, $2, $3)", [
    `ses_${randomText(25)}`,
    userId,
    sha256(token),
  ]);
  return token;
}

export async function signIn(context: BrowserContext, baseUrl: string, token: string) {
  await context.addCookies([
    { name: "session", value: token, url: baseUrl, httpOnly: true, sameSite: "Lax" },
  ]);
}

/** The name of what this person's only session shows of an organization; pages open their stream with it. */
export async function viewOf(db: Pool, userId: string, organizationId: string): Promise<string> {
  const { rows } = await db.query("SELECT id FROM sessions WHERE user_id = $1", [userId]);
  const view = `${rows[0]?.id} ${organizationId}`;
  return createHash("sha256").update(view).digest("base64url").slice(0, 16);
}
