"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { ShowNew } from "@/components/ui/show-new";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { usePoll } from "@/components/ui/use-poll";
import { useReading } from "@/components/ui/use-reading";
import type { Shown } from "../draw-trends";
import { rangeNames } from "./chart-frame";
import { TrendChart } from "./trend-chart";

/** How often the rest of the page is read again while figures change. */
const REFRESH_MS = 60_000;

interface Props {
  shown: Shown;
  /** Leads to what the organization has not tried yet. */
  steps: ReactNode;
  /** Shown above the charts. */
  children: ReactNode;
}

/** The top of the overview: charts change in place, and the lists behind a button. */
export function LiveCharts({ shown, steps, children }: Props) {
  const [overview, setOverview] = useState(shown);
  const router = useRouter();
  const isNew = overview.version !== shown.version;
  const { range } = shown;
  const isReading = useReading();
  const read = useRef({ text: JSON.stringify(shown), at: Date.now() });
  usePoll(range === "24h" ? "/dashboard/live" : `/dashboard/live?range=${range}`, (text) => {
    if (text === null) return router.refresh();
    const now: Shown = JSON.parse(text);
    setOverview(now);
    // While the lists are the same, a refresh moves nothing, and it updates the map and what comes next.
    const isOld = Date.now() - read.current.at > REFRESH_MS && read.current.text !== text;
    if (!isOld || isReading || now.version !== shown.version) return;
    read.current = { text, at: Date.now() };
    router.refresh();
  });
  return (
    <>
      <PageHeader
        title="Overview"
        count={<LastDispatch {...overview.dispatch} />}
        action={
          isNew ? <ShowNew onClick={() => router.refresh()}>Show what is new</ShowNew> : steps
        }
      />
      {children}
      <section aria-label="Charts">
        <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-1.5 sm:px-6">
          <h2 className="text-lead font-semibold">{rangeNames[range]}</h2>
          <Pills
            label="Time range"
            pills={(Object.keys(rangeNames) as (typeof range)[]).map((one) => ({
              name: one.replace(/(\d+)/, "$1 "),
              href: one === "24h" ? "/dashboard" : `/dashboard?range=${one}`,
              chosen: one === range,
            }))}
          />
        </div>
        <Charts {...overview} />
      </section>
    </>
  );
}

function LastDispatch({ last, isLate }: Shown["dispatch"]) {
  return (
    <span className="flex items-baseline gap-1.5">
      <State
        word={isLate ? "Late:" : ""}
        tone={isLate ? "failed" : last === null ? "quiet" : "ok"}
      />
      {last === null ? (
        "Never dispatched"
      ) : (
        <span>
          Last dispatch <Time unix={last} />
        </span>
      )}
    </span>
  );
}

/** The figures of an organization, each with its chart. */
function Charts({ charts, oldest, range, since, step }: Shown) {
  return (
    <dl className="grid border-b border-line sm:grid-cols-2 xl:grid-cols-4">
      {charts.map((chart) => (
        <div
          key={chart.name}
          className="relative min-w-0 border-line px-4 pt-3 pb-2 hover:bg-surface max-sm:not-first:border-t sm:px-6 sm:max-xl:even:border-l sm:max-xl:nth-[n+3]:border-t xl:not-first:border-l"
        >
          <dt className="text-small text-ink">
            <Link href={chart.href} className="row-link leading-6">
              {chart.name}
            </Link>
          </dt>
          <dd>
            <p className="flex items-baseline gap-2 whitespace-nowrap">
              <span
                data-figure
                className={`text-display font-semibold tracking-tight tabular-nums ${chart.isFailing ? "text-failed" : ""}`}
              >
                {chart.figure}
              </span>
              <span className="min-w-0 truncate text-small text-muted tabular-nums">
                {chart.href === "/inboxes" && oldest ? (
                  <Link
                    href={`/inboxes/${oldest.inbox_id}`}
                    title={`The oldest is in ${oldest.name}`}
                    className="relative z-1 leading-6 underline decoration-line-strong/60 underline-offset-2 hover:text-ink"
                  >
                    oldest{" "}
                    <Time unix={oldest.since} className="underline decoration-line-strong/60" />
                  </Link>
                ) : (
                  chart.note
                )}
              </span>
            </p>
            <TrendChart {...{ chart, range, since, step }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
