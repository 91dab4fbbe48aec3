import { MESSAGE_TONES } from "@/app/(dashboard)/_shared/message-state";
import { runFailures } from "@/app/(dashboard)/_shared/run-failures";
import { reasonText } from "@/app/(dashboard)/webhooks/_components/outcome";
import { Link } from "@/components/ui/link";
import type { Tone } from "@/components/ui/state";
import { Step, Steps } from "@/components/ui/steps";
import { counted } from "@/lib/platform/counted";
import type { List } from "@/lib/platform/lists/list";
import { kindOf } from "@/lib/resources/kinds";
import type { Delivery } from "@/lib/resources/messages/deliveries";
import type { Schedule, ScheduleRun } from "@/lib/resources/schedules/contract";
import { causeOf } from "@/lib/resources/webhooks/forward/state";

interface Props {
  schedule: Schedule;
  /** Newest first. */
  runs: List<ScheduleRun>;
  /** What became of the messages that the runs made, by ID. */
  deliveries: Map<string, Delivery>;
}

/** The last runs of a schedule and its next ones, in order. */
export function RunTimeline({ schedule, runs, deliveries }: Props) {
  const { timezone, next_runs, paused } = schedule;
  const earlier = (runs.total_count ?? 0) - runs.data.length;
  const isEmpty = runs.data.length === 0 && next_runs.length === 0;
  if (isEmpty) return <p className="text-muted">{paused ? "Paused, and never run." : "Ended."}</p>;
  return (
    <Steps>
      {earlier > 0 && <Step tone="quiet" word={counted(earlier, "earlier run")} at={null} />}
      {runs.data.toReversed().map((run) => (
        <Run key={run.id} run={run} delivery={deliveries.get(run.resource_id ?? "")} />
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

function Run({ run, delivery }: { run: ScheduleRun; delivery: Delivery | undefined }) {
  const { resource_id, scheduled_for, manual } = run;
  const { tone, words } = outcomeOf(run, delivery);
  return (
    <Step tone={tone} word={manual ? "Run by hand" : "Run"} at={scheduled_for}>
      <p className="text-small text-muted wrap-anywhere">
        {resource_id !== null && (
          <Link href={hrefOf(run, resource_id)} className="link font-mono">
            {resource_id}
          </Link>
        )}{" "}
        <span className={tone === "failed" ? "text-failed" : undefined}>{words}</span>
      </p>
    </Step>
  );
}

/** Green only if what the run made has arrived: a message at its target. */
function outcomeOf({ resource_id, reason }: ScheduleRun, delivery: Delivery | undefined): Outcome {
  if (resource_id === null) {
    return { tone: "failed", words: runFailures[reason ?? "internal_error"] };
  }
  if (kindOf(resource_id)?.name !== "messages") return { tone: "ok" };
  // The message no longer exists.
  if (delivery === undefined) return { tone: "quiet", words: "created" };
  const isRetrying = delivery.next_attempt_at !== null;
  const state = isRetrying ? "retrying" : delivery.status;
  const cause = causeOf(delivery);
  const tone = isRetrying ? "waiting" : MESSAGE_TONES[delivery.status];
  return { tone, words: cause === null ? state : `${state} ${reasonText(cause)}` };
}

interface Outcome {
  tone: Tone;
  words?: string;
}

function hrefOf({ inbox_id }: ScheduleRun, resourceId: string): string {
  if (inbox_id !== null) return `/inboxes/${inbox_id}?event=${resourceId}`;
  return `/${kindOf(resourceId)?.name}/${resourceId}`;
}

/** The date and time in a time zone, or in UTC. */
function clockIn(unix: number, timezone: string | null): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone ?? "UTC",
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(unix % 60 > 0 && { second: "2-digit" }),
    timeZoneName: "short",
  }).format(unix * 1000);
}
