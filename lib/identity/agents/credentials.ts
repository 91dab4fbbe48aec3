import { type KeyKind, newApiKey, storedForm } from "@/lib/identity/keys/key-format";
import type { Scope } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { CREDENTIAL_TYPES, type Credential } from "./contract";

export const ACCESS_TOKEN_SECONDS = 3600;

/** Throws 400 for a credential type that the flow does not support. */
export function credentialTypeOf(
  requested: string | undefined,
  supported: readonly KeyKind[] = CREDENTIAL_TYPES,
): KeyKind {
  const wanted = requested ?? "api_key";
  const found = supported.find((kind) => kind === wanted);
  if (found) return found;
  throw new ApiError(
    "unsupported_credential_type",
    `requested_credential_type must be ${supported.join(" or ")} for this flow.`,
    { param: "requested_credential_type" },
  );
}

/** Creates a registration's credential. `db` is the registration's transaction. */
export async function issueCredential(
  db: Transaction,
  grant: { organizationId: string; registrationId: string; kind: KeyKind; scopes: Scope[] },
): Promise<Credential> {
  const { organizationId, registrationId, kind, scopes } = grant;
  const key = newApiKey(kind);
  const { digest, prefix, lastFour } = storedForm(key);
  const lifetime = kind === "access_token" ? ACCESS_TOKEN_SECONDS : null;
  const row = await queryOne<{ expires_at: number | null }>(
    sql`INSERT INTO api_keys (id, organization_id, registration_id, name, kind, digest, prefix,
                              last_four, scopes, expires_at)
        VALUES (${newId("key")}, ${organizationId}, ${registrationId}, ${`Agent ${registrationId}`},
                ${kind}, ${digest}, ${prefix}, ${lastFour}, ${scopes},
                unix_now() + ${lifetime}::bigint)
        RETURNING expires_at`,
    db,
  );
  return {
    credential_type: kind,
    credential: key,
    credential_expires: row?.expires_at ?? null,
    scopes,
  };
}
