import { challenge } from "@/lib/http/challenge";
import { ApiError } from "@/lib/http/errors";
import type { Caller } from "./caller";

/**
 * Throws 403 `forbidden` unless the caller may reach what `organizationId` owns; null is a public
 * resource, which everybody may reach who knows its ID. Scopes are checked before, by `route()`.
 */
export function assertAccess(caller: Caller, organizationId: string | null): void {
  if (organizationId === null || organizationId === organizationOf(caller)) return;
  throw new ApiError(
    "forbidden",
    caller.kind === "anonymous"
      ? "This resource belongs to an organization. Send one of its API keys."
      : "This resource belongs to another organization.",
    { headers: challenge() },
  );
}

/** The organization that owns what the caller creates, and whose resources it lists; null: none. */
export function organizationOf(caller: Caller): string | null {
  return caller.kind === "key" ? caller.organizationId : null;
}
