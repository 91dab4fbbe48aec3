import { clientAddress } from "@/lib/http/address";
import type { Limit } from "@/lib/http/limits";
import type { HttpRequest } from "@/lib/http/request";
import { countRecentUse, networkOf } from "@/lib/http/sliding-window";

/** Rate limits of the OAuth endpoints, with the property names of `/api/limits`. */
export const oauthLimits = {
  client_registrations_per_network: { limit: 30, windowSeconds: 3600 },
  client_registrations: { limit: 1000, windowSeconds: 3600 },
  token_requests_per_network: { limit: 600, windowSeconds: 60 },
} satisfies Record<string, Limit>;

/** Per person: documents of clients that are not known yet. */
export const documentFetchLimit: Limit = { limit: 30, windowSeconds: 600 };

/** Throws 429. */
export async function countRegistration(request: HttpRequest): Promise<void> {
  const { client_registrations_per_network, client_registrations } = oauthLimits;
  await count(request, "oauth-register", client_registrations_per_network);
  await countRecentUse("oauth-register", client_registrations);
}

/** Counts a request to the token or revocation endpoint. Throws 429. */
export async function countTokenRequest(request: HttpRequest): Promise<void> {
  await count(request, "oauth-token", oauthLimits.token_requests_per_network);
}

async function count(request: HttpRequest, name: string, limit: Limit) {
  await countRecentUse(`${name}:${networkOf(clientAddress(request))}`, limit);
}
