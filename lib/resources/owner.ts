import { queryOne, raw, sql, type Transaction } from "@/lib/platform/db/sql";
import { kindOf } from "./kinds";
import { endpointId } from "./webhooks/kind";

interface Ownership {
  organization_id: string | null;
  /** SHA-256 of the claim token, hex; null if the resource was created with a key. */
  claim_token_digest: string | null;
}

/** Who owns the resource with this ID, and its claim token; undefined if there is none. */
export async function ownershipOf(id: string, db?: Transaction): Promise<Ownership | undefined> {
  const resourceId = endpointId(id);
  const kind = kindOf(resourceId);
  if (!kind) return undefined;
  // (d) The table differs.
  return queryOne<Ownership>(
    sql`SELECT organization_id, claim_token_digest FROM ${raw(kind.table)} WHERE id = ${resourceId}`,
    db,
  );
}
