import { resourceOf } from "@/lib/identity/authenticate";
import { type Audience, type Scope, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import type { Parameters } from "./parameters";

const AUDIENCES: Audience[] = ["mcp", "api"];

/**
 * The audience of a `resource` parameter (RFC 8707), which may have a trailing slash and any of the
 * server's own origins; `/mcp` if it is absent. Throws `invalid_target`.
 */
export function audienceOf(resource: string | undefined): Audience {
  if (resource === undefined) return "mcp";
  const found = AUDIENCES.find((audience) =>
    config().ownOrigins.some(
      (origin) => withoutSlash(resourceOf(audience, origin)) === withoutSlash(resource),
    ),
  );
  if (found) return found;
  const known = AUDIENCES.map((audience) => resourceOf(audience)).join(" or ");
  throw new ApiError("invalid_target", `resource must be ${known}.`);
}

/** Throws `invalid_target` if a token request names a resource other than the grant's. */
export function assertAudience(parameters: Parameters, granted: { audience: Audience }): void {
  const resource = parameters.get("resource");
  if (resource === undefined || audienceOf(resource) === granted.audience) return;
  throw new ApiError("invalid_target", "resource is not that of the authorization request.");
}

/**
 * The scopes that a client requests; without a `scope`, both. Unknown ones are dropped, and write
 * includes read. Throws `invalid_scope` when none is left.
 */
export function requestedScopes(scope: string | undefined): Scope[] {
  const names = scope?.split(" ") ?? ["api.write"];
  if (names.includes("api.write")) return [...scopes];
  if (names.includes("api.read")) return ["api.read"];
  throw new ApiError("invalid_scope", `scope must contain ${scopes.join(" or ")}.`);
}

function withoutSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : url;
}
