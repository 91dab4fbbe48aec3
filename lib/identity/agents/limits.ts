import { networkOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { countWrongToken, type Limit } from "@/lib/platform/limits/fixed-window";
import { countByNetwork, countForAll } from "@/lib/platform/limits/sliding-window";

/** Rate limits of the agent-auth endpoints, with the property names of `/api/limits`. */
export function agentLimits() {
  const { limits } = config().agentAuth;
  return {
    anonymous_registrations_per_network: hourly(limits.anonymousPerNetwork),
    anonymous_registrations: hourly(limits.anonymous),
    identified_registrations_per_network: hourly(limits.identifiedPerNetwork),
    identified_registrations: hourly(limits.identified),
    claims_started_or_completed_per_network: { limit: limits.claims, windowSeconds: 600 },
    revocations_per_network: { limit: limits.revocations, windowSeconds: 60 },
  };
}

type Flow = "anonymous" | "identified";

/** Counts a request to register against its network, even one that fails later. Throws 429. */
export async function countRegistration(request: HttpRequest, type: unknown): Promise<void> {
  const flow: Flow =
    type === "service_auth" || type === "identity_assertion" ? "identified" : "anonymous";
  await count(request, nameOf(flow), agentLimits()[`${flow}_registrations_per_network`]);
}

/** Counts a valid registration for all clients or for the provider `iss` behind it. Throws 429. */
export async function countValidRegistration(
  flow: Flow,
  ip: string | null,
  iss?: string,
): Promise<void> {
  const name = iss === undefined ? nameOf(flow) : `${nameOf(flow)}:${iss}`;
  await countForAll(name, agentLimits()[`${flow}_registrations`], networkOf(ip, 48));
}

function nameOf(flow: Flow): string {
  return `agent-register:${flow}`;
}

/** Throws 429. */
export async function countClaim(request: HttpRequest, step: "start" | "complete"): Promise<void> {
  const limit = agentLimits().claims_started_or_completed_per_network;
  await count(request, `agent-claim:${step}`, limit);
}

/** Throws the error of a claim, or 429 after too many wrong claim tokens. */
export async function refuseClaim(error: unknown, ip: string | null): Promise<never> {
  if (error instanceof ApiError && error.code === "invalid_claim_token") {
    await countWrongToken(`agent:${networkOf(ip)}`);
  }
  throw error;
}

/** Throws 429. */
export async function countRevocation(request: HttpRequest): Promise<void> {
  await count(request, "agent-revoke", agentLimits().revocations_per_network);
}

async function count(request: HttpRequest, name: string, limit: Limit) {
  await countByNetwork(name, clientAddress(request), limit);
}

function hourly(limit: number): Limit {
  return { limit, windowSeconds: 3600 };
}
