import { config } from "@/lib/config";
import { clientAddress } from "@/lib/http/address";
import type { HttpRequest } from "@/lib/http/request";
import { countRecentUse, networkOf } from "@/lib/http/sliding-window";

const HOUR = 3600;

/**
 * Counts a registration: first of the client's network, then in all. Throws 429. Requests that are
 * refused later count too.
 */
export async function countRegistration(request: HttpRequest, type: unknown): Promise<void> {
  const flow =
    type === "service_auth" || type === "identity_assertion" ? "identified" : "anonymous";
  const { perAddress, global } = config().agentAuth.limits[flow];
  const name = `agent-register:${flow}`;
  await count(request, name, perAddress, HOUR);
  await countRecentUse(name, { limit: global, windowSeconds: HOUR });
}

/** Counts one start or one completion of a claim. Throws 429. */
export async function countClaim(request: HttpRequest, step: "start" | "complete"): Promise<void> {
  await count(request, `agent-claim:${step}`, config().agentAuth.limits.claim, 600);
}

/** Counts one revocation. Throws 429. */
export async function countRevocation(request: HttpRequest): Promise<void> {
  await count(request, "agent-revoke", config().agentAuth.limits.revoke, 60);
}

async function count(request: HttpRequest, name: string, limit: number, windowSeconds: number) {
  const network = networkOf(clientAddress(request));
  await countRecentUse(`${name}:${network}`, { limit, windowSeconds });
}
