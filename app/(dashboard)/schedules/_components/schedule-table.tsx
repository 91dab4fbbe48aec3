import { BufferedTable } from "@/components/ui/buffered-table";
import { NameCell } from "@/components/ui/name-cell";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Schedule } from "@/lib/resources/schedules/contract";
import { RunStrip } from "./run-strip";
import { targetName, timesName, titleOf } from "./words";

interface Props {
  schedules: Schedule[];
  openId: string | undefined;
  /** The period that the timeline shows. */
  span: { name: string; seconds: number };
  hrefOf(schedule: Schedule): string;
}

/** One schedule per row, with the next runs on a shared timeline; cards at 640 px and below. */
export function ScheduleTable({ schedules, openId, span, hrefOf }: Props) {
  const narrow = openId !== undefined;
  const now = Math.floor(Date.now() / 1000);
  return (
    <BufferedTable
      head={
        <tr>
          <th scope="col">Schedule</th>
          {!narrow && <th scope="col">Creates</th>}
          <th scope="col">Next run</th>
          {!narrow && (
            <th scope="col">
              <span className="flex w-32 justify-between gap-2 md:w-[24vw] lg:w-[30vw]">
                <span>Now</span>
                <span>in {span.name}</span>
              </span>
            </th>
          )}
        </tr>
      }
      rows={schedules.map((schedule) => {
        const { id, name, paused, next_runs } = schedule;
        const [next] = next_runs;
        const row = (
          <tr key={id} aria-current={id === openId ? "true" : undefined}>
            <td className="list-main">
              <NameCell
                href={hrefOf(schedule)}
                name={titleOf(schedule)}
                description={name === null ? null : timesName(schedule)}
              />
            </td>
            {!narrow && <td className="text-small text-muted">{targetName(schedule)}</td>}
            <td
              data-label={paused || next === undefined ? undefined : "Next run"}
              className="text-small text-muted tabular-nums"
            >
              {paused && <State word="paused" tone="quiet" />}
              {!paused && next !== undefined && <Time unix={next} format="countdown" />}
              {!paused && next === undefined && <State word="ended" tone="quiet" />}
            </td>
            {!narrow && (
              <td className="max-sm:basis-full">
                <RunStrip schedule={schedule} now={now} span={span} />
              </td>
            )}
          </tr>
        );
        return { id, row };
      })}
    />
  );
}
