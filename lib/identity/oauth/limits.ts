import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { Limit } from "@/lib/platform/limits/fixed-window";
import { countByNetwork } from "@/lib/platform/limits/sliding-window";

/** Rate limits of the OAuth endpoints, with the property names of `/api/limits`. */
export const oauthLimits = {
  client_registrations_per_network: { limit: 30, windowSeconds: 3600 },
  client_registrations: { limit: 1000, windowSeconds: 3600 },
  device_codes_per_network: { limit: 30, windowSeconds: 3600 },
  token_requests_per_network: { limit: 600, windowSeconds: 60 },
} satisfies Record<string, Limit>;

/** Per person: documents of unknown clients. */
export const documentFetchLimit: Limit = { limit: 30, windowSeconds: 600 };

/** Per person: wrong codes of other machines that they type. */
export const deviceGuessLimit: Limit = { limit: 20, windowSeconds: 600, guardsSecret: true };

/** Counts a request to the token or revocation endpoint. Throws 429. */
export async function countTokenRequest(request: HttpRequest): Promise<void> {
  const limit = oauthLimits.token_requests_per_network;
  await countByNetwork("oauth-token", clientAddress(request), limit);
}
