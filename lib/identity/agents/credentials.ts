import { type KeyKind, newApiKey, storedForm } from "@/lib/identity/keys/key-format";
import type { Scope } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { newId } from "@/lib/platform/db/ids";
import type { Transaction } from "@/lib/platform/db/sql";
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

/** Creates a registration's credential, in the registration's transaction `tx`. */
export async function issueCredential(
  tx: Transaction,
  grant: { organizationId: string; registrationId: string; kind: KeyKind; scopes: Scope[] },
): Promise<Credential> {
  const { organizationId, registrationId, kind, scopes } = grant;
  const key = newApiKey(kind);
  const now = await unixNow(tx);
  const expiresAt = kind === "access_token" ? now + ACCESS_TOKEN_SECONDS : null;
  await tx.apiKey.create({
    data: {
      id: newId("key"),
      organization_id: organizationId,
      registration_id: registrationId,
      name: `Agent ${registrationId}`,
      kind,
      scopes,
      created_at: now,
      expires_at: expiresAt,
      ...storedForm(key),
    },
    select: { id: true },
  });
  return {
    credential_type: kind,
    credential: key,
    credential_expires: expiresAt,
    scopes,
  };
}
