import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";

/** The user who has verified this address, created if there is none. `tx` is a transaction. */
export async function findOrCreateUser(tx: Transaction, email: string): Promise<string> {
  // (a) Concurrent first sign-ins must find one user.
  const row = await queryOne<Row<"User", "id">>(
    sql`INSERT INTO users (id, email, email_verified_at)
        VALUES (${newId("usr")}, ${email}, unix_now())
        ON CONFLICT (email) DO UPDATE
          SET email_verified_at = coalesce(users.email_verified_at, unix_now())
        RETURNING id`,
    tx,
  );
  if (!row) throw new Error("An upsert returned no row.");
  return row.id;
}

/** Creates a user. The address counts as verified. Returns undefined if another user has it. */
export async function createUser(
  tx: Transaction,
  email: string | null,
): Promise<string | undefined> {
  const id = newId("usr");
  const data = { id, email, email_verified_at: email === null ? null : await unixNow(tx) };
  const { count } = await tx.user.createMany({ data, skipDuplicates: true });
  return count === 0 ? undefined : id;
}

/** The ID of the user who has verified this address. Their account cannot be deleted before `tx` ends. */
export async function findUserByEmail(tx: Transaction, email: string): Promise<string | undefined> {
  // (a) Waits for a deletion under way, and then finds nobody.
  const user = await queryOne<Row<"User", "id">>(
    sql`SELECT id FROM users WHERE email = ${email} AND email_verified_at IS NOT NULL FOR UPDATE`,
    tx,
  );
  return user?.id;
}
