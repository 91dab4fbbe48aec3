import { type Audience, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";

/**
 * The `WWW-Authenticate` header that points agents to the metadata (RFC 9728 §5.1). `error` is
 * added when a credential was sent but rejected (RFC 6750 §3).
 */
export function challenge(...error: string[]): Record<string, string> {
  return challengeFor("api", ...error);
}

/** The challenge for a resource, with the scopes that MCP clients ask for. */
export function challengeFor(
  audience: Audience = "api",
  ...error: string[]
): Record<string, string> {
  const suffix = audience === "mcp" ? "/mcp" : "";
  const metadata = `${config().baseUrl}/.well-known/oauth-protected-resource${suffix}`;
  const members = [`resource_metadata="${metadata}"`, ...error];
  const hasScope = error.some((member) => member.startsWith("scope="));
  if (audience === "mcp" && !hasScope) members.push(`scope="${scopes.join(" ")}"`);
  return { "WWW-Authenticate": `Bearer ${members.join(", ")}` };
}
