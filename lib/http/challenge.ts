import { config } from "@/lib/config/config";

/**
 * The `WWW-Authenticate` header that leads an agent to its own credentials (RFC 9728 §5.1);
 * `error` is added when a credential was sent and did not do (RFC 6750 §3).
 */
export function challenge(...error: string[]): Record<string, string> {
  const metadata = `resource_metadata="${config().baseUrl}/.well-known/oauth-protected-resource"`;
  return { "WWW-Authenticate": `Bearer ${[metadata, ...error].join(", ")}` };
}
