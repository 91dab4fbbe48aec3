import type { Schedule } from "@/lib/resources/schedules/contract";
import { timesAfter } from "@/lib/resources/schedules/timing";

/** More dots would overlap, so lines are drawn instead. */
const DOTS_MAX = 48;

interface Props {
  schedule: Schedule;
  now: number;
  span: { name: string; seconds: number };
}

/** The runs of a schedule from now to the end of the span, as dots on a line. */
export function RunStrip({ schedule, now, span }: Props) {
  const times = schedule.paused
    ? []
    : timesAfter(schedule, now, DOTS_MAX + 1).filter((time) => time <= now + span.seconds);
  const isDense = times.length > DOTS_MAX;
  const x = (time: number) => `${(1 + ((time - now) / span.seconds) * 98).toFixed(2)}%`;
  const count = isDense ? `More than ${DOTS_MAX}` : times.length;
  return (
    <svg
      role="img"
      aria-label={`${count} ${times.length === 1 ? "run" : "runs"} in the next ${span.name}`}
      className="block h-4 w-full overflow-visible text-accent"
      fill="currentColor"
      stroke="currentColor"
    >
      <line x1="0" x2="100%" y1="8" y2="8" className="text-line-strong" strokeWidth="1" />
      {isDense
        ? stretchesOf(schedule, now, span.seconds).map(({ from, to }) => (
            <line key={from} x1={x(from)} x2={x(to)} y1="8" y2="8" strokeWidth="5" />
          ))
        : times.map((time) => <circle key={time} cx={x(time)} cy="8" r="3" stroke="none" />)}
    </svg>
  );
}

/** The parts of the span in which runs follow each other so closely that dots would overlap. */
function stretchesOf(schedule: Schedule, now: number, seconds: number) {
  const dot = Math.ceil(seconds / DOTS_MAX);
  const end = now + seconds;
  const stretches: { from: number; to: number }[] = [];
  for (let after = now; after < end; ) {
    const [next] = timesAfter(schedule, after, 1);
    if (next === undefined || next > end) break;
    after = Math.min(next + dot, end);
    const last = stretches.at(-1);
    if (last && next - last.to <= dot) last.to = after;
    else stretches.push({ from: next, to: after });
  }
  return stretches;
}
