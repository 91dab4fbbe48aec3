import { shownName } from "@/lib/identity/access";
import { findOwnKey, type OwnKey } from "@/lib/identity/keys/own-key";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { quote } from "@/lib/platform/errors";
import type { HttpRequest } from "@/lib/platform/http/request";
import { remainingLimits } from "@/lib/platform/limits/caller-limits";
import type { Me } from "./contract";

/** The request's credential, its scopes and remaining limits. */
export async function me(caller: Caller, request: HttpRequest): Promise<Me> {
  const [key, rate_limits] = await Promise.all([
    caller.kind === "anonymous" ? undefined : findOwnKey(caller),
    remainingLimits(caller, request),
  ]);
  return {
    object: "me",
    kind: key?.kind ?? "anonymous",
    key_id: key?.id ?? null,
    key_name: key?.name ?? null,
    organization_id: key?.organization_id ?? null,
    organization_name: shownName(caller, key?.organization_name ?? null),
    registration_id: key?.registration_id ?? null,
    scopes: key?.scopes ?? [],
    created_at: key?.created_at ?? null,
    expires_at: key?.expires_at ?? null,
    claim_ends_at: key?.claim_ends_at ?? null,
    rate_limits,
    hint: caller.kind === "key" && caller.tokenExpiresAt ? tokenHint(key) : hintFor(key),
  };
}

function tokenHint(key: OwnKey | undefined): string {
  const may = key?.scopes.includes("api.write") ? "read and write" : "only read";
  return `This access token may ${may} the organization's resources for the client ${quote(key?.name ?? "")}. A member of the organization allowed it, and may revoke it under ${config().baseUrl}/keys. Get the next one with the refresh token.`;
}

function hintFor(key: OwnKey | undefined): string {
  const guide = `${config().baseUrl}/auth.md`;
  if (key === undefined) {
    return `No credential was sent. What you create is public to anyone who knows its ID, and not listed. To own what you create, get a key (${guide}) and send it as "Authorization: Bearer svc_live_…".`;
  }
  if (key.scopes.includes("api.write")) {
    return "This key can read and write its organization's resources.";
  }
  return key.claim_ends_at === null
    ? `This key is read-only. To write, register again (${guide}) or ask a member of the organization for a key.`
    : `This key is read-only. To write, claim its registration: ${guide}.`;
}
