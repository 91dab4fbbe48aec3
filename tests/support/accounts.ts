import type { Pool } from "pg";
import { newSecret } from "@/lib/identity/keys/key-format";
import { makeKeyText, randomText, sha256 } from "./keys";

export interface Organization {
  id: string;
  /** May read and write. */
  key: string;
  /** May only read. */
  readKey: string;
}

/** Inserts directly, so that tests do not depend on sign-up; in one statement, since nearly every test does. */
export async function makeOrganization(db: Pool): Promise<Organization> {
  const made = { id: `org_${randomText(25)}`, key: makeKeyText(), readKey: makeKeyText() };
  const texts = [made.key, made.readKey];
  await db.query(
    `WITH made AS (INSERT INTO organizations (id, name) VALUES ($1, 'Test ' || $1))
     INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes)
     SELECT one.id, $1, 'test', one.digest, left(one.text, 13), right(one.text, 4), one.scopes::text[]
     FROM unnest($2::text[], $3::text[], $4::text[], '{"{api.read,api.write}","{api.read}"}'::text[])
       AS one (id, text, digest, scopes)`,
    [made.id, texts.map(() => `key_${randomText(25)}`), texts, texts.map(sha256)],
  );
  return made;
}

interface KeyOptions {
  text?: string;
  scopes?: string[];
  /** Seconds from the database's now; negative is past. */
  expiresIn?: number;
  revoked?: boolean;
}

/** Inserts a key and returns its text. */
export async function makeKey(db: Pool, organizationId: string, options: KeyOptions = {}) {
  const text = options.text ?? makeKeyText();
  await db.query(
    `INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes, expires_at, revoked_at)
     VALUES ($1, $2, 'test', $3, $4, $5, $6, unix_now() + $7::bigint, CASE WHEN $8 THEN unix_now() END)`,
    [
      `key_${randomText(25)}`,
      organizationId,
      sha256(text),
      text.slice(0, 13),
      text.slice(-4),
      options.scopes ?? ["api.read", "api.write"],
      options.expiresIn ?? null,
      options.revoked ?? false,
    ],
  );
  return text;
}

/** Inserts an OAuth grant, by default with both scopes, and returns its access token. */
export async function makeAccessToken(
  db: Pool,
  organizationId: string,
  audience: "api" | "mcp",
  userId = "usr_none",
  scopes = ["api.read", "api.write"],
) {
  const id = `key_${randomText(25)}`;
  const token = newSecret("svc_oat_");
  await db.query(
    `WITH key AS (
       INSERT INTO api_keys (id, organization_id, name, kind, prefix, last_four, scopes, expires_at)
       VALUES ($1, $2, 'Test client', 'oauth_grant', '', '', $3, unix_now() + 3600)
     ), made AS (
       INSERT INTO oauth_grants (id, user_id, client_id, client_host, audience, family_digest, token_digest)
       VALUES ($1, $6, 'agent-infra-cli', 'this computer', $4, $5, '')
     )
     INSERT INTO oauth_access_tokens (digest, grant_id, audience, scopes, expires_at)
     VALUES ($5, $1, $4, $3, unix_now() + 3600)`,
    [id, organizationId, scopes, audience, sha256(token), userId],
  );
  return token;
}

/** Inserts organizations with one key each, in two statements. */
export async function makeCrowd(
  db: Pool,
  count: number,
): Promise<Array<{ id: string; key: string }>> {
  const crowd = Array.from({ length: count }, () => ({
    id: `org_${randomText(25)}`,
    key: makeKeyText(),
  }));
  const ids = crowd.map(({ id }) => id);
  await db.query(
    "INSERT INTO organizations (id, name) SELECT id, id FROM unnest($1::text[]) AS id",
    [ids],
  );
  await db.query(
    `INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes)
     SELECT 'key_' || substr(one.id, 5), one.id, 'test', one.digest, 'svc_live_test', 'test', '{api.read,api.write}'
     FROM unnest($1::text[], $2::text[]) AS one (id, digest)`,
    [ids, crowd.map(({ key }) => sha256(key))],
  );
  return crowd;
}

/** Inserts tasks in one statement and returns their IDs, oldest first. */
export async function insertTasks(db: Pool, organizationId: string, count: number) {
  // Sorts before every ID that the service generates.
  const series = `00000000${randomText(9)}`;
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO tasks (id, organization_id, name)
     SELECT 'tsk_' || $2 || lpad(n::text, 8, '0'), $1, 'Task ' || n FROM generate_series(1, $3) AS n
     RETURNING id`,
    [organizationId, series, count],
  );
  return rows.map(({ id }) => id).sort();
}
