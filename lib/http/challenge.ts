import { config } from "@/lib/config/config";

/**
 * The `WWW-Authenticate` header that points agents to the metadata (RFC 9728 §5.1); `error` is
 * added when a credential was sent but rejected (RFC 6750 §3).
 */
export function challenge(...error: string[]): Record<string, string> {
  const metadata = `resource_metadata="${config().baseUrl}/.well-known/oauth-protected-resource"`;
  return { "WWW-Authenticate": `Bearer ${[metadata, ...error].join(", ")}` };
}
