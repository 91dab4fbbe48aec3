import { runFailures } from "@/app/(dashboard)/_shared/run-failures";
import { Link } from "@/components/ui/link";
import { utcTime } from "@/components/ui/relative-time";
import { Step, Steps } from "@/components/ui/steps";
import { counted } from "@/lib/platform/counted";
import type { List } from "@/lib/platform/lists/list";
import { kindOf } from "@/lib/resources/kinds";
import type { Schedule, ScheduleRun } from "@/lib/resources/schedules/contract";

interface Props {
  schedule: Schedule;
  /** Newest first. */
  runs: List<ScheduleRun>;
}

/** The last runs of a schedule and its next ones, in order. */
export function RunTimeline({ schedule, runs }: Props) {
  const { timezone, next_runs, paused } = schedule;
  const earlier = (runs.total_count ?? 0) - runs.data.length;
  const isEmpty = runs.data.length === 0 && next_runs.length === 0;
  if (isEmpty) return <p className="text-muted">{paused ? "Paused, and never run." : "Ended."}</p>;
  return (
    <Steps>
      {earlier > 0 && <Step tone="quiet" word={counted(earlier, "earlier run")} at={null} />}
      {runs.data.toReversed().map((run) => (
        <Run key={run.id} run={run} />
      ))}
      {next_runs.map((time, index) => (
        <Step
          key={time}
          tone="waiting"
          word={index === 0 ? "Next run" : "Run"}
          at={time}
          words="countdown"
        >
          <p className="text-small text-muted tabular-nums">{clockIn(time, timezone)}</p>
        </Step>
      ))}
    </Steps>
  );
}

function Run({ run }: { run: ScheduleRun }) {
  const { status, reason, resource_id, scheduled_for, manual } = run;
  return (
    <Step
      tone={status === "created" ? "ok" : "failed"}
      word={manual ? "Run by hand" : "Run"}
      at={scheduled_for}
    >
      <p className="text-small text-muted wrap-anywhere">
        {resource_id === null ? (
          <span className="text-failed">{runFailures[reason ?? "internal_error"]}</span>
        ) : (
          <Link href={hrefOf(run, resource_id)} className="link font-mono">
            {resource_id}
          </Link>
        )}
      </p>
    </Step>
  );
}

function hrefOf({ inbox_id }: ScheduleRun, resourceId: string): string {
  if (inbox_id !== null) return `/inboxes/${inbox_id}?event=${resourceId}`;
  return `/${kindOf(resourceId)?.name}/${resourceId}`;
}

/** The date and time in a time zone. */
function clockIn(unix: number, timezone: string | null): string | undefined {
  if (timezone === null) return utcTime(unix);
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(unix * 1000);
}
