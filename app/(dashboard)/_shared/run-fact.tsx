import { readIfAllowed } from "@/app/_shared/resources";
import { CopyText } from "@/components/ui/copy";
import { Fact } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { Caller } from "@/lib/platform/caller";
import type { RunColumns } from "@/lib/resources/run-headers";
import { Schedule } from "@/lib/resources/schedules/contract";
import { titleOf } from "../schedules/_components/words";

interface Props {
  caller: Caller;
  run: RunColumns;
}

/** The schedule that created a resource, and the run's nominal time. Empty without a schedule. */
export async function RunFact({ caller, run: { schedule_id, schedule_time } }: Props) {
  if (schedule_id === null) return null;
  const schedule = Schedule.safeParse(await readIfAllowed(caller, schedule_id)).data;
  return (
    <Fact name="Schedule">
      {schedule ? (
        <Link href={`/schedules/${schedule_id}`} className="link">
          {titleOf(schedule)}
        </Link>
      ) : (
        <CopyText text={schedule_id} />
      )}
      <span className="text-muted">
        {" · "}
        <Time unix={schedule_time} />
      </span>
    </Fact>
  );
}
