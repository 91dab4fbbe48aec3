import type { ReactNode } from "react";
import { Time } from "@/components/ui/time";
import type { Inbox, InboxStats } from "@/lib/resources/inboxes/contract";
import { DepthBar } from "./depth-bar";

/** How many events wait in an inbox and for how long, and how many have left it. */
export function InboxFigures({ inbox, stats }: { inbox: Inbox; stats: InboxStats }) {
  const { oldest_ready_age_seconds: age, totals, dead } = stats;
  const since = age === null ? null : Math.floor(Date.now() / 1000) - age;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-b border-line px-4 py-4 sm:px-6 sm:grid-cols-4 xl:grid-cols-7">
      <Figure name="Waiting">
        <DepthBar pending={inbox.event_count ?? 0} max={inbox.max_events} />
      </Figure>
      <Figure name="Oldest ready">
        {since === null ? <span className="text-muted">none</span> : <Time unix={since} />}
      </Figure>
      <Figure name="Dead">
        <span className={dead > 0 ? "font-medium text-failed" : ""}>
          {dead.toLocaleString("en")}
        </span>
      </Figure>
      <Figure name="Ingested">{totals.ingested.toLocaleString("en")}</Figure>
      <Figure name="Acknowledged">{totals.acknowledged.toLocaleString("en")}</Figure>
      <Figure name="Expired">{totals.expired.toLocaleString("en")}</Figure>
      <Figure name="Purged">{totals.purged.toLocaleString("en")}</Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
