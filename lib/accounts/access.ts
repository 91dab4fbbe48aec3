import type { Caller } from "@/lib/caller";
import { type Statement, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";
import { challenge } from "@/lib/http/challenge";
import type { Precondition } from "@/lib/http/conditional";

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
  return caller.kind === "anonymous" ? null : caller.organizationId;
}

/**
 * `assertAccess` as a condition on `organization_id`, for a statement that decides and works in one
 * round trip; where it finds the row and not the access, `assertAccess` then says why.
 */
export function mayReach(caller: Caller): Statement {
  return sql`(organization_id IS NULL OR organization_id = ${organizationOf(caller)})`;
}

/**
 * A condition for the statement that writes a row after access to it was decided. It closes the race
 * between the two: a row that was claimed meanwhile, or changed under an `If-Match`, is not written,
 * and the caller decides again.
 */
export function unchangedSinceRead(
  row: { organization_id: string | null; revision: number },
  precondition: Precondition | undefined,
): Statement {
  return precondition
    ? sql`revision = ${row.revision}`
    : sql`organization_id IS NOT DISTINCT FROM ${row.organization_id}`;
}
