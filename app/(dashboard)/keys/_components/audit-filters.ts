import { queryParam, type SearchParams } from "@/app/_shared/query";
import { AUDIT_PARTS, type AuditPart, type AuditSearch } from "@/lib/identity/audit/activity";
import { actionsSaying } from "./audit-words";

/** What the query limits the audit log to. */
export type AuditFilters = ReturnType<typeof auditFilters>;

export function auditFilters(params: SearchParams) {
  const about = queryParam(params, "about");
  return {
    q: queryParam(params, "q") || undefined,
    about: (Object.keys(AUDIT_PARTS) as AuditPart[]).find((part) => part === about),
    /** The ID of who did it. */
    by: queryParam(params, "by") || undefined,
  };
}

export function auditSearch({ q, about, by }: AuditFilters): AuditSearch {
  return {
    words: q === undefined ? undefined : { text: q, actions: actionsSaying(q) },
    part: about,
    actor: by,
  };
}
