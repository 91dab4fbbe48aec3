import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { Chart, Shown } from "../draw-trends";
import { TrendChart } from "./trend-chart";

/** The figures of an organization, each with its chart. */
export function Charts({ charts, oldest, ...time }: Shown) {
  return (
    <dl className="grid border-b border-line sm:grid-cols-2 xl:grid-cols-4">
      {charts.map((chart) => (
        <One key={chart.name} chart={chart} time={time}>
          {chart.href === "/inboxes" && oldest ? (
            <Link
              href={`/inboxes/${oldest.inbox_id}`}
              title={`The oldest is in ${oldest.name}`}
              className="relative z-1 leading-6 underline decoration-line-strong/60 underline-offset-2 hover:text-ink"
            >
              oldest <Time unix={oldest.since} className="underline decoration-line-strong/60" />
            </Link>
          ) : (
            chart.note
          )}
        </One>
      ))}
    </dl>
  );
}

interface OneProps {
  chart: Chart;
  time: Pick<Shown, "range" | "since" | "step">;
  children: React.ReactNode;
}

function One({ chart, time, children }: OneProps) {
  return (
    <div className="relative min-w-0 border-line px-4 pt-3 pb-2 hover:bg-surface max-sm:not-first:border-t sm:px-6 sm:max-xl:even:border-l sm:max-xl:nth-[n+3]:border-t xl:not-first:border-l">
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
          <span className="min-w-0 truncate text-small text-muted tabular-nums">{children}</span>
        </p>
        <TrendChart chart={chart} {...time} />
      </dd>
    </div>
  );
}
