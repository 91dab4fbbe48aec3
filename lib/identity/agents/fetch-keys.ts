import type { FetchImplementation } from "jose";
import { fetchOutbound } from "@/lib/platform/outbound/fetch";
import { configuredRules } from "@/lib/platform/outbound/policy";

const TIMEOUT_MS = 5000;
const BYTES_MAX = 262_144;

/**
 * Fetches a provider's key set under the rules for outbound requests. The origin configured by the
 * operator may be on a private network; redirects elsewhere are not followed.
 */
export const fetchKeys: FetchImplementation = async (url, { headers }) => {
  const target = new URL(url);
  const { status, body } = await fetchOutbound({
    url: target,
    headers,
    limits: { totalTimeoutMs: TIMEOUT_MS, responseBytesMax: BYTES_MAX },
    rules: { ...configuredRules(), ownOrigin: target.origin },
  });
  // Other statuses carry no keys, and some forbid a body.
  return status === 200 ? new Response(new Uint8Array(body)) : new Response(null, { status: 502 });
};
