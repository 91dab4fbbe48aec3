import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Schedule } from "@/lib/resources/schedules/contract";

/** When a schedule runs next, or why it does not. */
export function NextRun({ schedule: { paused, next_runs } }: { schedule: Schedule }) {
  const [next] = next_runs;
  if (paused) return <State word="paused" tone="quiet" />;
  if (next === undefined) return <State word="ended" tone="quiet" />;
  return <Time unix={next} format="countdown" />;
}
