import { assertAccess } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam, quote } from "@/lib/platform/errors";

type OwnedInbox = Row<"Inbox", "organization_id" | "default_ttl_seconds">;

/**
 * Lets `owner` send events to an inbox only if both have the same owner, because everyone who may
 * read the inbox will read them. Returns the inbox. Throws 404, 403, and 400 with `refusal`, each
 * naming `param`.
 */
export async function assertInboxOwner(
  caller: Caller,
  owner: string | null,
  inboxId: string,
  { param, refusal }: { param: string; refusal: string },
  tx?: Transaction,
): Promise<OwnedInbox> {
  // (a) The lock makes a deletion wait for the transaction.
  const inbox = await queryOne<OwnedInbox>(
    sql`SELECT organization_id, default_ttl_seconds FROM inboxes WHERE id = ${inboxId}
        FOR KEY SHARE`,
    tx,
  );
  if (!inbox) {
    throw new ApiError("resource_not_found", `No inbox has the ID ${quote(inboxId)}.`, { param });
  }
  assertAccess(caller, inbox.organization_id);
  if (inbox.organization_id !== owner) throw invalidParam(param, refusal);
  return inbox;
}

/** The refusal for what must have the same owner as its inbox. */
export function sameOwner(noun: string): string {
  return `The inbox and the ${noun} must have the same owner. Claim the public one.`;
}
