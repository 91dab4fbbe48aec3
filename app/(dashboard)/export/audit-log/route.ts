import { accountRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { streamed } from "@/app/(dashboard)/_shared/streamed";
import { auditFilters, auditSearch } from "@/app/(dashboard)/keys/_components/audit-filters";
import { exportPages } from "@/lib/api/export";
import { listAudit } from "@/lib/identity/audit/activity";
import { LIMIT_MAX } from "@/lib/platform/lists/list";

/** Downloads the audit log as JSON lines, with the filters of its page. */
export const GET = accountRoute(async (caller, _, request) => {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const search = auditSearch(auditFilters(query));
  return streamed(request, (credential) =>
    exportPages({ fileName: "audit-log.jsonl", request, credential }, async (after) => {
      return () => listAudit(caller, { limit: LIMIT_MAX, ...(after && { after }) }, search);
    }),
  );
});

/** In seconds: the longest time that Vercel allows. */
export const maxDuration = 300;
