import { type Audience, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { ApiError } from "@/lib/platform/errors";

/** A query that a header can quote. One with a key of ours is not repeated. */
const QUOTABLE = /^(?!.*svc_)[\w.~!$&'()*+,;=:@/?%-]{1,1000}$/;

/** The resource that a client wanted: by default the API. */
export interface Wanted {
  audience?: Audience | undefined;
  /** The query of its URL. */
  search?: string;
}

/**
 * The resource identifier (RFC 8707) of an audience. That of `/mcp` has the query of the client's URL,
 * with which clients compare it (RFC 9728 §3.3).
 */
export function resourceOf(wanted: Wanted, origin = config().baseUrl): string {
  return origin + (pathOf(wanted) || "/");
}

/**
 * The `WWW-Authenticate` header that points agents to the metadata of a resource (RFC 9728 §5.1), for
 * `/mcp` with the scopes that clients ask for. Empty for an error that no credential mends. `reasons` are
 * the members that it has even if the error does not (RFC 6750 §3).
 */
export function challenge(
  { status, code, challenge: wrong }: Pick<ApiError, "status" | "code" | "challenge">,
  wanted: Wanted = {},
  reasons: Record<string, string> = {},
): Record<string, string> {
  if (status !== 401 && code !== "forbidden" && !wrong) return {};
  const members = {
    resource_metadata: `${config().baseUrl}/.well-known/oauth-protected-resource${pathOf(wanted)}`,
    ...reasons,
    ...wrong,
  };
  const scope = wanted.audience === "mcp" ? { scope: scopes.join(" ") } : {};
  const quoted = Object.entries({ ...members, ...(!wrong?.scope && scope) }).map(
    ([name, value]) => `${name}="${value}"`,
  );
  return { "WWW-Authenticate": `Bearer ${quoted.join(", ")}` };
}

function pathOf({ audience = "api", search = "" }: Wanted): string {
  if (audience === "api") return "";
  // Next writes a comma as %2C.
  return QUOTABLE.test(search) ? `/mcp?${search.replaceAll("%2C", ",")}` : "/mcp";
}
