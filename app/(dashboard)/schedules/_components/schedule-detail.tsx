import Link from "next/link";
import type { ReactNode } from "react";
import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { CloseLink } from "@/components/ui/close-link";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton, CopyText } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Fact, Facts } from "@/components/ui/facts";
import { Icon } from "@/components/ui/icon";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { Section } from "@/components/ui/section";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { config } from "@/lib/platform/config/config";
import type { List } from "@/lib/platform/lists/list";
import type { Schedule, ScheduleRun } from "@/lib/resources/schedules/contract";
import { RunTimeline } from "./run-timeline";
import { targetName, timesName, titleOf } from "./words";

interface Props {
  schedule: Schedule;
  runs: List<ScheduleRun>;
  canWrite: boolean;
  editHref: string;
  /** Undefined if there is no list beside it. */
  closeHref: string | undefined;
  actions: { act: FormAction; remove: FormAction };
  /** The edit form, when it is open. */
  form?: ReactNode;
}

/** The detail pane of a schedule: settings, target, past and next runs. */
export function ScheduleDetail(props: Props) {
  const { schedule, runs, canWrite, editHref, closeHref, actions, form } = props;
  const { id, paused, next_runs, organization_id } = schedule;
  const [next] = next_runs;
  const address = `${config().baseUrl}/api/schedules/${id}`;
  return (
    <article aria-label={titleOf(schedule)} className="p-4 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <h1 className="text-title font-semibold tracking-tight wrap-anywhere">
          {titleOf(schedule)}
        </h1>
        {closeHref && <CloseLink href={closeHref} />}
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-x-3">
        {paused && <State word="paused" tone="quiet" />}
        {!paused && next === undefined && <State word="ended" tone="quiet" />}
        {next !== undefined && (
          <span className="tabular-nums">
            Runs <Time unix={next} format="countdown" />
          </span>
        )}
        <CopyText text={id} />
      </p>
      {form ? (
        <div className="mt-5">{form}</div>
      ) : (
        <div className="mt-4 flex flex-wrap items-start gap-2">
          {canWrite && (
            <ActionForm action={actions.act} className="contents">
              <input type="hidden" name="id" value={id} />
              <Submit name="act" value="run" className="button" successMessage="Run">
                Run now
              </Submit>
              <Submit name="act" value={paused ? "resume" : "pause"} className="button">
                {paused ? "Resume" : "Pause"}
              </Submit>
              <Link href={editHref} prefetch={false} scroll={false} className="button">
                <Icon name="edit" />
                Edit
              </Link>
            </ActionForm>
          )}
          <CopyButton text={curl(address, { key: organization_id !== null })}>
            Copy as curl
          </CopyButton>
          {canWrite && (
            <Confirm
              label="Delete"
              title="Delete this schedule?"
              consequence="The schedule stops. Everything it has created is kept. This cannot be undone."
              confirm="Delete schedule"
              action={actions.remove}
              fields={{ id }}
            />
          )}
        </div>
      )}
      <Section title="Timeline">
        <RunTimeline schedule={schedule} runs={runs} />
      </Section>
      <Section title={`Creates ${targetName(schedule)}`}>
        <CodeBlock label="Target">{JSON.stringify(schedule.target, null, 2)}</CodeBlock>
      </Section>
      <Section title="Facts">
        <Facts>
          <Fact name="Times">
            <span className="font-mono">{timesName(schedule)}</span>
            {schedule.timezone !== null && ` in ${schedule.timezone}`}
          </Fact>
          {schedule.starts_at !== null && (
            <Fact name="Starts">
              <Time unix={schedule.starts_at} />
            </Fact>
          )}
          {schedule.ends_at !== null && (
            <Fact name="Ends">
              <Time unix={schedule.ends_at} />
            </Fact>
          )}
          <Fact name="Missed times">
            {schedule.catch_up === "once" ? "run once for all" : "are skipped"}
          </Fact>
          <ResourceFacts of={schedule} />
        </Facts>
      </Section>
    </article>
  );
}
