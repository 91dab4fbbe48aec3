import type { ReactNode } from "react";
import { withQuery } from "@/app/_shared/query";
import { runFailures } from "@/app/(dashboard)/_shared/run-failures";
import { reasonText } from "@/app/(dashboard)/webhooks/_components/outcome";
import { RowLink } from "@/components/ui/row-link";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { counted } from "@/lib/platform/counted";
import type { FailingHost } from "@/lib/resources/overview/attention";
import type { Overview } from "@/lib/resources/overview/service";
import { boundedCount, boundedOthers, HostActions, withoutScheme } from "./host-actions";

/** More are folded, so that the page stays one screen. Questions stand above them. */
const SHOWN_MAX = 3;
const SHOWN_BELOW_QUESTIONS = 2;

const OBSTACLES = {
  inbox_full: "its inbox is full",
  other_owner: "its inbox has another owner",
  too_many_pending: "too many of its messages are pending",
};

interface Issue {
  tone: Tone;
  word: string;
  href: string;
  text: ReactNode;
  detail?: ReactNode;
  /** Since when, in Unix seconds. */
  since?: number | null;
  action?: ReactNode;
}

/** One sentence that says whether all is well, and what needs a person, grouped by cause. */
export function NeedsAttention({ overview, mayAct }: { overview: Overview; mayAct: boolean }) {
  const issues = issuesOf(overview, mayAct);
  const { lastFailure, questions } = overview;
  const most = questions.length > 1 ? SHOWN_BELOW_QUESTIONS : SHOWN_MAX;
  return (
    <section aria-labelledby="attention" className="border-b border-line">
      <h2 id="attention" className="px-4 py-2 text-lead font-semibold sm:px-6">
        {issues.length === 0
          ? "All is well"
          : issues.length === 1
            ? "1 thing needs you"
            : `${issues.length} things need you`}
        {issues.length === 0 && (
          <span className="ml-2 text-base font-normal text-muted">
            {lastFailure === null ? (
              "No message has failed."
            ) : (
              <>
                The last message failed <Time unix={lastFailure} />
              </>
            )}
          </span>
        )}
      </h2>
      {issues.length > 0 && <Rows issues={issues.slice(0, most)} />}
      {issues.length > most && (
        <details>
          <summary className="cursor-pointer border-t border-line px-4 py-1.5 text-small text-muted hover:text-ink sm:px-6">
            {issues.length - most} more
          </summary>
          <Rows issues={issues.slice(most)} />
        </details>
      )}
    </section>
  );
}

function Rows({ issues }: { issues: Issue[] }) {
  return (
    <ul className="border-t border-line *:last:border-b-0">
      {issues.map((issue) => (
        <Row key={`${issue.word} ${issue.href}`} issue={issue} />
      ))}
    </ul>
  );
}

function issuesOf(overview: Overview, mayAct: boolean): Issue[] {
  const { dispatch, hosts, overdue, abandoned, schedules, keys, unclaimedAgents } = overview;
  const { missed, signatures, held } = overview;
  const issues: (Issue | null)[] = [
    dispatch.isLate
      ? {
          tone: "failed",
          word: "Dispatch",
          href: "/messages?status=scheduled",
          text: "Messages are due, and nothing sends them",
          detail:
            dispatch.last === null ? "The dispatcher has never run." : "The dispatcher last ran",
          since: dispatch.last,
        }
      : null,
    ...hosts.map((host) => ({
      tone: host.failed > 0 ? ("failed" as const) : ("waiting" as const),
      word: host.failed > 0 ? "Messages failed" : "Retrying",
      href: withQuery("/messages", {
        status: host.failed > 0 ? "failed" : "retrying",
        host: host.host,
        since: host.failed_since ?? undefined,
      }),
      text: withoutScheme(host.host),
      detail: `${outcomesOf(host)}${host.last_error ? ` · ${host.last_error}` : ""}`,
      since: host.since,
      action: mayAct && <HostActions {...host} />,
    })),
    ...overview.inboxes.troubled.map(({ id, name, dead, pending, max_events }) => ({
      tone: dead > 0 ? ("failed" as const) : ("waiting" as const),
      word: dead > 0 ? "Dead events" : "Nearly full",
      href: `/inboxes/${id}`,
      text: name,
      detail: `${dead > 0 ? `${dead} dead, ` : ""}${pending.toLocaleString("en")} of ${max_events.toLocaleString("en")} waiting`,
    })),
    ...schedules.map(({ id, name, reason, since }) => ({
      tone: "failed" as const,
      word: "Run failed",
      href: `/schedules/${id}`,
      text: name,
      detail: runFailures[reason ?? "internal_error"],
      since,
    })),
    ...missed.map(({ id, name, since }) => ({
      tone: "failed" as const,
      word: "Missed",
      href: `/schedules/${id}`,
      text: name,
      detail: "has not run since its time passed",
      since,
    })),
    ...signatures.map(({ id, name, count, reason, since }) => ({
      tone: "failed" as const,
      word: "Not verified",
      href: `/webhooks/${id}`,
      text: name,
      detail: `${counted(count, "request")}: ${reasonText(reason)}`,
      since,
    })),
    ...held.map(({ id, name, obstacle }) => ({
      tone: "waiting" as const,
      word: "Held back",
      href: `/webhooks/${id}`,
      text: name,
      detail: OBSTACLES[obstacle],
    })),
    overdue && {
      tone: "waiting",
      word: "Overdue",
      href: overdue.count === 1 ? `/tasks/${overdue.id}` : "/tasks?progress=open&sort=due",
      text: overdue.name,
      detail:
        overdue.count > 1 &&
        `and ${boundedOthers(overdue.count)} more ${overdue.count === 2 ? "task" : "tasks"}`,
      since: overdue.since,
    },
    abandoned && {
      tone: "waiting",
      word: "Lease ended",
      href:
        abandoned.count === 1
          ? `/tasks/${abandoned.id}`
          : "/tasks?progress=in-progress&group=holder",
      text: abandoned.name,
      detail: `in progress, held by nobody${
        abandoned.count > 1 ? `; and ${boundedOthers(abandoned.count)} more` : ""
      }`,
      since: abandoned.since,
    },
    ...keys.map(({ id, name, expires_at }) => ({
      tone: "waiting" as const,
      word: "Key expires",
      href: `/keys?q=${id}`,
      text: name,
      since: expires_at,
    })),
    unclaimedAgents > 0
      ? {
          tone: "waiting",
          word: "Agents",
          href: "/keys?tab=agents",
          text: `${unclaimedAgents} registered, not yet claimed`,
        }
      : null,
  ];
  const given = issues.filter((issue) => issue !== null);
  return [...given.filter(isFailure), ...given.filter((issue) => !isFailure(issue))];
}

function isFailure({ tone }: Issue): boolean {
  return tone === "failed";
}

function outcomesOf({ failed, retrying }: FailingHost): string {
  const parts = [
    failed > 0 && `${boundedCount(failed)} failed`,
    retrying > 0 && `${boundedCount(retrying)} will be retried`,
  ];
  return parts.filter(Boolean).join(", ");
}

function Row({ issue: { tone, word, href, text, detail, since, action } }: { issue: Issue }) {
  return (
    <li className="relative flex min-h-10 items-center gap-x-3 border-b border-line px-4 py-1 hover:bg-surface max-sm:flex-wrap max-sm:py-2 sm:px-6">
      <span className="w-32 shrink-0">
        <State word={word} tone={tone} />
      </span>
      <RowLink
        href={href}
        className="flex min-w-0 flex-1 gap-x-2 max-sm:order-1 max-sm:basis-full max-sm:flex-wrap"
      >
        <span className="max-w-full min-w-0 shrink-0 truncate sm:max-w-1/2">{text}</span>{" "}
        <span className="min-w-0 truncate text-muted">{detail}</span>
      </RowLink>
      {action && <div className="relative z-1 shrink-0 max-sm:order-2 max-sm:mt-1">{action}</div>}
      {since != null && (
        <span className="shrink-0 text-small text-muted tabular-nums max-sm:ml-auto">
          <Time unix={since} />
        </span>
      )}
    </li>
  );
}
