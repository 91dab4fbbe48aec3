import { withQuery } from "@/app/_shared/query";
import { LoadMore } from "@/components/ui/load-more";
import { NoMatches } from "@/components/ui/no-matches";
import type { AuditEntry } from "@/lib/identity/audit/activity";
import type { AuditFilters } from "./audit-filters";
import { AuditList } from "./audit-list";
import { tabHref } from "./tabs";

interface Props {
  events: AuditEntry[];
  /** The titles of the resources that they name, by ID. */
  titles: Map<string, string>;
  filters: AuditFilters;
  moreHref: string | undefined;
}

/** The audit log: what its filters leave of it. */
export function AuditLog({ events, titles, filters, moreHref }: Props) {
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <AuditList
        events={events}
        titles={titles}
        byHref={(by) => tabHref("log", { ...filters, by })}
      />
      {events.length === 0 && isFiltered && <NoMatches noun="entries" allHref={tabHref("log")} />}
      {events.length === 0 && !isFiltered && (
        <p className="px-4 py-4 text-muted sm:px-6">Nothing has happened yet.</p>
      )}
      <LoadMore href={moreHref} />
    </>
  );
}

/** Downloads what the filters leave of the log. */
export function ExportLog({ filters }: { filters: AuditFilters }) {
  return (
    <a
      href={withQuery("/export/audit-log", { ...filters })}
      download
      title="Download all as JSON lines"
      className="button"
    >
      Export
    </a>
  );
}
