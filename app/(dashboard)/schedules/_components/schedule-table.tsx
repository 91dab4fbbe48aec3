import { ListTable } from "@/components/ui/list-table";
import { NameCell } from "@/components/ui/name-cell";
import type { Schedule } from "@/lib/resources/schedules/contract";
import { NextRun } from "./next-run";
import { RunStrip } from "./run-strip";
import { targetName, timesWords, titleOf } from "./words";

interface Props {
  schedules: Schedule[];
  openId: string | undefined;
  /** The period that the timeline shows. */
  span: { name: string; seconds: number };
  hrefOf(schedule: Schedule): string;
}

/** Schedules with their next runs on a shared timeline. */
export function ScheduleTable({ schedules, openId, span, hrefOf }: Props) {
  const narrow = openId !== undefined;
  const now = Math.floor(Date.now() / 1000);
  return (
    <ListTable
      columns={[
        {
          name: "Schedule",
          look: "list-main",
          cell: (schedule) => (
            <NameCell
              href={hrefOf(schedule)}
              name={titleOf(schedule)}
              description={timesWords(schedule) === titleOf(schedule) ? null : timesWords(schedule)}
            />
          ),
        },
        !narrow && { name: "Creates", cell: targetName },
        {
          name: "Next run",
          isLabelled: ({ paused, next_runs }) => !paused && next_runs.length > 0,
          cell: (schedule) => <NextRun schedule={schedule} />,
        },
        !narrow && {
          name: "Timeline",
          head: (
            <span className="flex w-32 justify-between gap-2 md:w-[24vw] lg:w-[30vw]">
              <span>Now</span>
              <span>in {span.name}</span>
            </span>
          ),
          look: "max-sm:basis-full",
          cell: (schedule) => <RunStrip schedule={schedule} now={now} span={span} />,
        },
      ]}
      rows={schedules}
      openId={openId}
    />
  );
}
