import { type Audience, type Scope, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { resourceOf } from "@/lib/platform/http/challenge";
import type { Parameters } from "./parameters";

const AUDIENCES: Audience[] = ["mcp", "api"];

/**
 * The audience of the `resource` parameters (RFC 8707), between spaces, each of which may have a trailing
 * slash, a query and any of the server's own origins; `/mcp` if there is none. Throws `invalid_target`.
 */
export function audienceOf(resource: string | undefined): Audience {
  if (resource === undefined) return "mcp";
  const named = new Set(resource.split(" ").map(audienceNamed));
  const [found] = named;
  if (found && named.size === 1) return found;
  const known = AUDIENCES.map((audience) => resourceOf({ audience })).join(" or ");
  throw new ApiError("invalid_target", `resource must be ${known}.`);
}

function audienceNamed(resource: string): Audience | undefined {
  if (resource.includes("#")) return undefined;
  const named = withoutSlash(resource.split("?", 1)[0] ?? "");
  return AUDIENCES.find((audience) =>
    config().ownOrigins.some((origin) => withoutSlash(resourceOf({ audience }, origin)) === named),
  );
}

/** Throws `invalid_target` if a token request names a resource other than the grant's. */
export function assertAudience(parameters: Parameters, granted: { audience: Audience }): void {
  const resource = parameters.get("resource");
  if (resource === undefined || audienceOf(resource) === granted.audience) return;
  throw new ApiError("invalid_target", "resource differs from the authorization request.");
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
