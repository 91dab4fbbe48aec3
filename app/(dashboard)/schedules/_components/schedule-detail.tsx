import type { ReactNode } from "react";
import { Beginning } from "@/components/bodies/beginning";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { CodeBlock } from "@/components/ui/code-block";
import { DeleteButton } from "@/components/ui/delete-button";
import { Fact, Facts, TimeFact } from "@/components/ui/facts";
import { CopyCall, EditLink, Pane } from "@/components/ui/pane";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { Section } from "@/components/ui/section";
import type { List } from "@/lib/platform/lists/list";
import type { Delivery } from "@/lib/resources/messages/deliveries";
import type { Schedule, ScheduleRun } from "@/lib/resources/schedules/contract";
import { actOnSchedule, deleteSchedule } from "../actions";
import { NextRun } from "./next-run";
import { RunTimeline } from "./run-timeline";
import { targetName, timesWords, titleOf } from "./words";

interface Props {
  schedule: Schedule;
  runs: List<ScheduleRun>;
  /** What became of the messages that the runs made, by ID. */
  deliveries: Map<string, Delivery>;
  canWrite: boolean;
  editHref: string;
  /** Undefined if there is no list beside it. */
  closeHref: string | undefined;
  /** The edit form, when it is open. */
  form?: ReactNode;
}

/** The detail pane of a schedule: settings, target, past and next runs. */
export function ScheduleDetail(props: Props) {
  const { schedule, runs, deliveries, canWrite, editHref, closeHref, form } = props;
  const { id, paused } = schedule;
  const title = titleOf(schedule);
  return (
    <Pane
      label={title}
      title={title}
      id={id}
      state={
        <span className="tabular-nums">
          <NextRun schedule={schedule} verb="Runs" last={runs.data[0]} />
        </span>
      }
      closeHref={closeHref}
      form={form}
      primary={
        canWrite && (
          <ActionForm action={actOnSchedule} formId={crypto.randomUUID()} fields={{ id }}>
            <Submit name="act" value="run" successMessage="Ran now; see the timeline">
              Run now
            </Submit>
          </ActionForm>
        )
      }
      more={
        <>
          {canWrite && <EditLink href={editHref} />}
          {canWrite && (
            <ActionForm action={actOnSchedule} fields={{ id }}>
              <Submit name="act" value={paused ? "resume" : "pause"} className="button">
                {paused ? "Resume" : "Pause"}
              </Submit>
            </ActionForm>
          )}
          <CopyCall path={`schedules/${id}`} of={schedule} />
          {canWrite && (
            <DeleteButton
              noun="schedule"
              consequence="The schedule stops. Everything it has created is kept. This cannot be undone."
              action={deleteSchedule}
              fields={{ id, back: closeHref ?? "" }}
            />
          )}
        </>
      }
    >
      <Section title="Timeline">
        <RunTimeline schedule={schedule} runs={runs} deliveries={deliveries} />
      </Section>
      <Section title={`Creates ${targetName(schedule)}`}>
        <Beginning
          of="target"
          text={JSON.stringify(schedule.target, (_, value) => value ?? undefined, 2)}
        >
          {(text) => <CodeBlock label="Target">{text}</CodeBlock>}
        </Beginning>
      </Section>
      <Section title="Facts">
        <Facts>
          <Fact name="Times">
            {timesWords(schedule)}
            {schedule.timezone !== null && ` in ${schedule.timezone}`}
            {schedule.cron !== null && (
              <span className="block font-mono text-small text-muted">{schedule.cron}</span>
            )}
          </Fact>
          <TimeFact name="Starts" unix={schedule.starts_at} />
          <TimeFact name="Ends" unix={schedule.ends_at} />
          <Fact name="Missed times">
            {schedule.catch_up === "once" ? "One run to catch up" : "Skipped"}
          </Fact>
          <ResourceFacts of={schedule} />
        </Facts>
      </Section>
    </Pane>
  );
}
