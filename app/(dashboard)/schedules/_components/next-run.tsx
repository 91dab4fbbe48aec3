import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Schedule } from "@/lib/resources/schedules/contract";

/** When a schedule runs next, or why it does not. */
export function NextRun({ schedule, verb = "" }: { schedule: Schedule; verb?: string }) {
  const { paused, next_runs } = schedule;
  const [next] = next_runs;
  if (paused) return <State word="paused" tone="quiet" />;
  if (next === undefined) return <State word="ended" tone="quiet" />;
  return (
    <>
      {verb} <Time unix={next} format="countdown" />
    </>
  );
}
