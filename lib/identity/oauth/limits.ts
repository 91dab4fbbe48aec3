import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { Limit } from "@/lib/platform/limits/fixed-window";
import { countByNetwork, countForAll } from "@/lib/platform/limits/sliding-window";

/** Rate limits of the OAuth endpoints, with the property names of `/api/limits`. */
export const oauthLimits = {
  client_registrations_per_network: { limit: 30, windowSeconds: 3600 },
  client_registrations: { limit: 1000, windowSeconds: 3600 },
  device_codes_per_network: { limit: 30, windowSeconds: 3600 },
  token_requests_per_network: { limit: 600, windowSeconds: 60 },
} satisfies Record<string, Limit>;

/** Per person: documents of unknown clients. */
export const documentFetchLimit: Limit = { limit: 30, windowSeconds: 600 };

/** Per person: codes of other machines that they type. */
export const deviceGuessLimit: Limit = { limit: 20, windowSeconds: 600, guardsSecret: true };

/** Counts a sign-in on a machine without a browser against its network. Throws 429. */
export async function countDeviceCode(request: HttpRequest): Promise<void> {
  await count(request, "oauth-device", oauthLimits.device_codes_per_network);
}

/** Counts a request to register against its network. Throws 429. */
export async function countRegistration(request: HttpRequest): Promise<void> {
  await count(request, "oauth-register", oauthLimits.client_registrations_per_network);
}

/** Counts a client that is about to be stored towards the total. Throws 429. */
export async function countStoredClient(address: string | null): Promise<void> {
  await countForAll("oauth-register", address, oauthLimits.client_registrations);
}

/** Counts a request to the token or revocation endpoint. Throws 429. */
export async function countTokenRequest(request: HttpRequest): Promise<void> {
  await count(request, "oauth-token", oauthLimits.token_requests_per_network);
}

async function count(request: HttpRequest, name: string, limit: Limit) {
  await countByNetwork(name, clientAddress(request), limit);
}
