import { newId } from "@/lib/platform/db/ids";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";

/** The user who has verified this address, created if there is none. `db` is a transaction. */
export async function findOrCreateUser(db: Transaction, email: string): Promise<string> {
  const row = await queryOne<{ id: string }>(
    sql`INSERT INTO users (id, email, email_verified_at)
        VALUES (${newId("usr")}, ${email}, unix_now())
        ON CONFLICT (email) DO UPDATE
          SET email_verified_at = coalesce(users.email_verified_at, unix_now())
        RETURNING id`,
    db,
  );
  if (!row) throw new Error("An upsert returned no row.");
  return row.id;
}

/** Creates a user. The address counts as verified, and is omitted if another user has it. */
export async function createUser(db: Transaction, email: string | null): Promise<string> {
  const id = newId("usr");
  const withEmail =
    email !== null &&
    (await queryOne(
      sql`INSERT INTO users (id, email, email_verified_at) VALUES (${id}, ${email}, unix_now())
          ON CONFLICT (email) DO NOTHING RETURNING id`,
      db,
    ));
  if (!withEmail) await query(sql`INSERT INTO users (id) VALUES (${id})`, db);
  return id;
}

/** The ID of the user who has verified this address. */
export async function findUserByEmail(db: Transaction, email: string): Promise<string | undefined> {
  const row = await queryOne<{ id: string }>(
    sql`SELECT id FROM users WHERE email = ${email} AND email_verified_at IS NOT NULL`,
    db,
  );
  return row?.id;
}
