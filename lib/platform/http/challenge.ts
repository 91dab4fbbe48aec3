import { type Audience, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";

/**
 * The `WWW-Authenticate` header that points agents to the metadata of a resource (RFC 9728 §5.1), for
 * `/mcp` with the scopes that clients ask for. `error` is added when a credential was sent but rejected
 * (RFC 6750 §3).
 */
export function challenge(audience: Audience = "api", ...error: string[]): Record<string, string> {
  const suffix = audience === "mcp" ? "/mcp" : "";
  const metadata = `${config().baseUrl}/.well-known/oauth-protected-resource${suffix}`;
  const members = [`resource_metadata="${metadata}"`, ...error];
  const hasScope = error.some((member) => member.startsWith("scope="));
  if (audience === "mcp" && !hasScope) members.push(`scope="${scopes.join(" ")}"`);
  return { "WWW-Authenticate": `Bearer ${members.join(", ")}` };
}
