import type { SearchParams } from "@/app/_shared/query";
import { filterReader } from "@/app/(dashboard)/_shared/filter-reader";
import { AUDIT_PARTS, type AuditPart, type AuditSearch } from "@/lib/identity/audit/activity";
import { actionsSaying } from "./audit-words";

/** What the query limits the audit log to. */
export type AuditFilters = ReturnType<typeof auditFilters>;

export function auditFilters(params: SearchParams) {
  return readAuditFilters(params).filters;
}

/** The filters in the query, and those that the log does not have. */
export function readAuditFilters(params: SearchParams) {
  const { given, choice, misread } = filterReader(params);
  const filters = {
    q: given("q") || undefined,
    about: choice(Object.keys(AUDIT_PARTS) as AuditPart[], "about"),
    /** The ID of who did it. */
    by: given("by") || undefined,
  };
  return { filters, misread };
}

export function auditSearch({ q, about, by }: AuditFilters): AuditSearch {
  return {
    words: q === undefined ? undefined : { text: q, actions: actionsSaying(q) },
    part: about,
    actor: by,
  };
}
