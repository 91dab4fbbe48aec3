import { queryParam, type SearchParams } from "@/app/_shared/query";
import { AUDIT_PARTS, type AuditPart, type AuditSearch } from "@/lib/identity/audit/activity";
import { actionsSaying } from "./audit-words";

/** What the query limits the audit log to. */
export interface AuditFilters {
  q: string | undefined;
  about: AuditPart | undefined;
  /** The ID of who did it. */
  by: string | undefined;
}

export function auditFilters(params: SearchParams): AuditFilters {
  const about = queryParam(params, "about");
  return {
    q: queryParam(params, "q") || undefined,
    about: (Object.keys(AUDIT_PARTS) as AuditPart[]).find((part) => part === about),
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
