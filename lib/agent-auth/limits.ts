import { config } from "@/lib/config/config";
import { clientAddress } from "@/lib/http/address";
import type { Limit } from "@/lib/http/limits";
import type { HttpRequest } from "@/lib/http/request";
import { countRecentUse, networkOf } from "@/lib/http/sliding-window";

/** Rate limits of the agent-auth endpoints, with the property names of `/api/limits`. */
export function agentLimits() {
  const { anonymous, identified, claim, revoke } = config().agentAuth.limits;
  return {
    anonymous_registrations_per_network: hourly(anonymous.perAddress),
    anonymous_registrations: hourly(anonymous.global),
    identified_registrations_per_network: hourly(identified.perAddress),
    identified_registrations: hourly(identified.global),
    claims_started_or_completed_per_network: { limit: claim, windowSeconds: 600 },
    revocations_per_network: { limit: revoke, windowSeconds: 60 },
  };
}

/**
 * Counts a registration per network and in total. Throws 429. Requests that fail later count too.
 */
export async function countRegistration(request: HttpRequest, type: unknown): Promise<void> {
  const flow =
    type === "service_auth" || type === "identity_assertion" ? "identified" : "anonymous";
  const limits = agentLimits();
  const name = `agent-register:${flow}`;
  await count(request, name, limits[`${flow}_registrations_per_network`]);
  await countRecentUse(name, limits[`${flow}_registrations`]);
}

/** Throws 429. */
export async function countClaim(request: HttpRequest, step: "start" | "complete"): Promise<void> {
  const limit = agentLimits().claims_started_or_completed_per_network;
  await count(request, `agent-claim:${step}`, { ...limit, guardsSecret: true });
}

/** Throws 429. */
export async function countRevocation(request: HttpRequest): Promise<void> {
  await count(request, "agent-revoke", agentLimits().revocations_per_network);
}

async function count(request: HttpRequest, name: string, limit: Limit) {
  await countRecentUse(`${name}:${networkOf(clientAddress(request))}`, limit);
}

function hourly(limit: number): Limit {
  return { limit, windowSeconds: 3600 };
}
