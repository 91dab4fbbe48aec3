import type { ReactNode } from "react";
import { withQuery } from "@/app/_shared/query";
import { runFailures } from "@/app/(dashboard)/_shared/run-failures";
import { reasonText } from "@/app/(dashboard)/webhooks/_components/outcome";
import type { Tone } from "@/components/ui/state";
import { counted } from "@/lib/platform/counted";
import { withoutScheme } from "@/lib/resources/messages/target";
import type { FailingHost } from "@/lib/resources/overview/attention";
import type { Overview } from "@/lib/resources/overview/service";
import { ROWS_MAX } from "@/lib/resources/overview/troubles";
import { boundedCount, boundedOthers, HostActions } from "./host-actions";

export interface Issue {
  tone: Tone;
  word: string;
  href: string;
  text: ReactNode;
  detail?: ReactNode;
  /** Since when, in Unix seconds. */
  since?: number | null;
  action?: ReactNode;
}

const OBSTACLES = {
  inbox_full: "its inbox is full",
  other_owner: "its inbox has another owner",
  too_many_pending: "too many of its messages are pending",
  callback_failed: "its callback failed; it continues once its client renews it",
};

/** What needs a person, grouped by cause, failures first, and whether a cause may have more than was read. */
export function issuesOf(overview: Overview, mayAct: boolean): { issues: Issue[]; isCut: boolean } {
  const causes = [
    lateDispatch(overview),
    failingHosts(overview, mayAct),
    troubledInboxes(overview),
    failedRuns(overview),
    missedRuns(overview),
    wrongSignatures(overview),
    heldEndpoints(overview),
    heldSubscriptions(overview),
    overdueTasks(overview),
    abandonedTasks(overview),
    expiringKeys(overview),
    unclaimedAgents(overview),
  ];
  const all = causes.flat();
  return {
    issues: [...all.filter(isFailure), ...all.filter((issue) => !isFailure(issue))],
    isCut: causes.some(({ length }) => length >= ROWS_MAX),
  };
}

function isFailure({ tone }: Issue): boolean {
  return tone === "failed";
}

function lateDispatch({ dispatch: { isLate, last } }: Overview): Issue[] {
  if (!isLate) return [];
  return [
    {
      tone: "failed",
      word: "Dispatch",
      href: "/messages?status=scheduled",
      text: "Messages are due, but nothing is sending them",
      detail: last === null ? "The dispatcher has never run." : "The dispatcher last ran",
      since: last,
    },
  ];
}

function failingHosts({ hosts }: Overview, mayAct: boolean): Issue[] {
  return hosts.map((host) => {
    const hasFailed = host.failed > 0;
    return {
      tone: hasFailed ? "failed" : "waiting",
      word: hasFailed ? "Messages failed" : "Retrying",
      href: withQuery("/messages", {
        status: hasFailed ? "failed" : "retrying",
        host: host.host,
        since: host.failed_since ?? undefined,
      }),
      text: withoutScheme(host.host),
      detail: `${outcomesOf(host)}${host.last_error ? ` · ${host.last_error}` : ""}`,
      since: host.since,
      action: mayAct && <HostActions {...host} />,
    };
  });
}

function outcomesOf({ failed, retrying }: FailingHost): string {
  const parts = [
    failed > 0 && `${boundedCount(failed)} failed`,
    retrying > 0 && `${boundedCount(retrying)} will be retried`,
  ];
  return parts.filter(Boolean).join(", ");
}

function troubledInboxes({ inboxes }: Overview): Issue[] {
  return inboxes.troubled.map(({ id, name, dead, pending, max_events }) => ({
    tone: dead > 0 ? "failed" : "waiting",
    word: dead > 0 ? "Dead events" : "Nearly full",
    href: `/inboxes/${id}`,
    text: name,
    detail: `${dead > 0 ? `${dead} dead, ` : ""}${pending.toLocaleString("en")} of ${max_events.toLocaleString("en")} waiting`,
  }));
}

function failedRuns({ schedules }: Overview): Issue[] {
  return schedules.map(({ id, name, reason, since }) => ({
    tone: "failed",
    word: "Run failed",
    href: `/schedules/${id}`,
    text: name,
    detail: runFailures[reason ?? "internal_error"],
    since,
  }));
}

function missedRuns({ missed }: Overview): Issue[] {
  return missed.map(({ id, name, since }) => ({
    tone: "failed",
    word: "Missed",
    href: `/schedules/${id}`,
    text: name,
    detail: "did not run when it was due",
    since,
  }));
}

function wrongSignatures({ signatures }: Overview): Issue[] {
  return signatures.map(({ id, name, count, reason, since }) => ({
    tone: "failed",
    word: "Not verified",
    href: `/webhooks/${id}`,
    text: name,
    detail: `${counted(count, "request")}: ${reasonText(reason)}`,
    since,
  }));
}

function heldEndpoints({ held }: Overview): Issue[] {
  return held.map(({ id, name, obstacle }) => ({
    tone: "waiting",
    word: "Held back",
    href: `/webhooks/${id}`,
    text: name,
    detail: OBSTACLES[obstacle],
  }));
}

function heldSubscriptions({ subscriptions }: Overview): Issue[] {
  return subscriptions.map(({ id, name, obstacle, since }) => ({
    tone: obstacle === "callback_failed" ? "failed" : "waiting",
    word: "Subscription",
    href: `/settings?tab=developers#${id}`,
    text: name,
    detail: `held back: ${OBSTACLES[obstacle]}`,
    since,
  }));
}

function overdueTasks({ overdue }: Overview): Issue[] {
  if (!overdue) return [];
  const { id, name, count, since } = overdue;
  return [
    {
      tone: "waiting",
      word: "Overdue",
      href: count === 1 ? `/tasks/${id}` : "/tasks?progress=open&sort=due",
      text: name,
      detail: count > 1 && `and ${boundedOthers(count)} more ${count === 2 ? "task" : "tasks"}`,
      since,
    },
  ];
}

function abandonedTasks({ abandoned }: Overview): Issue[] {
  if (!abandoned) return [];
  const { id, name, count, since } = abandoned;
  const others = count > 1 ? `; and ${boundedOthers(count)} more` : "";
  return [
    {
      tone: "waiting",
      word: "Lease ended",
      href: count === 1 ? `/tasks/${id}` : "/tasks?progress=in-progress&group=holder",
      text: name,
      detail: `in progress, held by nobody${others}`,
      since,
    },
  ];
}

function expiringKeys({ keys }: Overview): Issue[] {
  return keys.map(({ id, name, expires_at }) => ({
    tone: "waiting",
    word: "Key expires",
    href: `/keys?q=${id}`,
    text: name,
    since: expires_at,
  }));
}

function unclaimedAgents({ unclaimedAgents: count }: Overview): Issue[] {
  if (count === 0) return [];
  return [
    {
      tone: "waiting",
      word: "Agents",
      href: "/keys?tab=agents",
      text: `${count} registered, not yet claimed`,
    },
  ];
}
