import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Schedule, ScheduleRun } from "@/lib/resources/schedules/contract";

interface Props {
  schedule: Schedule;
  verb?: string;
  /** Its last run, if it is known. */
  last?: ScheduleRun | undefined;
}

/** When a schedule runs next, or why it does not. */
export function NextRun({ schedule, verb = "", last }: Props) {
  const { paused, next_runs, organization_id: owner } = schedule;
  const [next] = next_runs;
  if (paused) return <State word="paused" tone="quiet" />;
  if (next === undefined && owner === null && last?.reason === "public_limit") {
    return <State word="waiting to be claimed" tone="waiting" />;
  }
  if (next === undefined) return <State word="ended" tone="quiet" />;
  return (
    <>
      {verb} <Time unix={next} format="countdown" />
    </>
  );
}
