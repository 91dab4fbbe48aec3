import { type Caller, mayWrite } from "@/lib/platform/caller";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";

/**
 * Throws 403 `forbidden` unless the caller may reach a resource of `organizationId`. Null means
 * public: anyone with the ID may reach it. `route()` has already checked the scopes.
 */
export function assertAccess(caller: Caller, organizationId: string | null): void {
  if (organizationId === null || organizationId === organizationOf(caller)) return;
  throw new ApiError(
    "forbidden",
    caller.kind === "anonymous"
      ? "This resource belongs to an organization. Send one of its API keys."
      : "This resource belongs to another organization.",
  );
}

/** The organization that owns what the caller creates and lists; null for anonymous callers. */
export function organizationOf(caller: Caller): string | null {
  return caller.kind === "anonymous" ? null : caller.organizationId;
}

/** The organization of a caller with a credential. */
export function ownerOf(caller: Caller): string {
  const organizationId = organizationOf(caller);
  if (organizationId === null) throw new Error("The caller has no organization.");
  return organizationId;
}

/** Whether the caller may see the email and IP addresses of people; a read-only key may not. */
export function maySeeAddresses(caller: Caller): boolean {
  return caller.kind !== "anonymous" && mayWrite(caller);
}

/** The name of an organization or author; null if it is an address that the caller may not see. */
export function shownName(caller: Caller, name: string | null): string | null {
  return name?.includes("@") && !maySeeAddresses(caller) ? null : name;
}

/**
 * `assertAccess` as a SQL condition, for statements that check and write in one round trip. If such
 * a statement matches no row, `assertAccess` throws the right error.
 */
export function mayReach(caller: Caller): Sql {
  return sql`(organization_id IS NULL OR organization_id = ${organizationOf(caller)})`;
}

/**
 * A SQL condition that closes the race between the access check and the write. A row that was
 * claimed in between, or changed despite `If-Match`, does not match, and the caller must check
 * again.
 */
export function unchangedSinceRead(
  row: { organization_id: string | null; revision: number },
  precondition: Precondition | undefined,
): Sql {
  return precondition
    ? sql`revision = ${row.revision}`
    : sql`organization_id IS NOT DISTINCT FROM ${row.organization_id}`;
}
