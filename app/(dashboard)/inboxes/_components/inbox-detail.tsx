import { withQuery } from "@/app/_shared/query";
import { bytes } from "@/components/ui/bytes";
import { Confirm } from "@/components/ui/confirm";
import { DeleteButton } from "@/components/ui/delete-button";
import { ExportLink } from "@/components/ui/export-link";
import { DescriptionFact, Fact, Facts, PaneFacts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { CopyCall, EditLink, Pane } from "@/components/ui/pane";
import { duration } from "@/components/ui/relative-time";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import { confirmationWord } from "@/lib/platform/confirmation-word";
import { counted } from "@/lib/platform/counted";
import type { List } from "@/lib/platform/lists/list";
import type { Inbox, InboxStats } from "@/lib/resources/inboxes/contract";
import type { EventState } from "@/lib/resources/inboxes/events/contract";
import type { InboxReply } from "@/lib/resources/inboxes/replies/contract";
import { deleteInbox, purgeInbox } from "../actions";
import { InboxForm } from "./inbox-form";
import { WorkerCode } from "./worker-code";

interface Props {
  inbox: Inbox;
  stats: InboxStats;
  /** The parameters of the list, which stays beside the form. */
  kept: Record<string, string | undefined>;
  /** The filter of the list. A purge deletes the listed events. */
  state: EventState | undefined;
  canWrite: boolean;
  editing: boolean;
  /** The list, if the settings are open without it on a narrow screen. */
  closeHref: string | undefined;
  /** The newest ones. */
  replies: List<InboxReply>;
}

/** The pane beside an inbox's events. */
export function InboxDetail(props: Props) {
  const { inbox, stats, kept, state, canWrite, editing, closeHref, replies } = props;
  const { id, description } = inbox;
  const here = `/inboxes/${id}`;
  const all = stats.ready + stats.delayed + stats.leased + stats.dead;
  const purged = state === undefined ? all : stats[state];
  const typed = confirmationWord(inbox);
  return (
    <Pane
      label={inbox.name}
      title="About this inbox"
      isAside
      id={id}
      closeHref={closeHref}
      form={editing && <InboxForm closeHref={withQuery(here, kept)} inbox={inbox} />}
      primary={canWrite && <EditLink href={withQuery(here, { ...kept, edit: 1 })} />}
      more={
        <>
          <CopyCall path={`inboxes/${id}`} of={inbox} />
          {canWrite && purged > 0 && (
            <Confirm
              label={state === undefined ? "Purge" : `Purge ${state}`}
              title={state === undefined ? "Remove all events?" : `Remove all ${state} events?`}
              consequence={`Deletes ${counted(purged, "event")}${
                stats.leased > 0 && state === undefined ? `, ${stats.leased} of them leased` : ""
              }${state === undefined ? ", and all replies" : ""}. This cannot be undone.`}
              confirm={`Purge ${counted(purged, "event")}`}
              action={purgeInbox}
              fields={{ id, state: state ?? "" }}
              typed={typed}
            />
          )}
          {canWrite && (
            <DeleteButton
              noun="inbox"
              consequence={`Deletes the inbox and its ${counted(all, "event")}. Senders will get 404. This cannot be undone.`}
              action={deleteInbox}
              fields={{ id }}
              typed={typed}
            />
          )}
        </>
      }
    >
      <WorkerCode inbox={inbox} />
      {replies.data.length > 0 && <Replies inboxId={id} replies={replies} />}
      <Figures stats={stats} />
      <PaneFacts>
        <DescriptionFact>{description}</DescriptionFact>
        <Fact name="Kept for">{duration(inbox.default_ttl_seconds)}</Fact>
        <ResourceFacts of={inbox} />
      </PaneFacts>
    </Pane>
  );
}

function Replies({ inboxId, replies }: { inboxId: string; replies: List<InboxReply> }) {
  return (
    <Section
      title={`Replies, ${(replies.total_count ?? 0).toLocaleString("en")} kept`}
      aside={<ExportLink list={`inboxes/${inboxId}/replies`} />}
    >
      <ul className="divide-y divide-line">
        {replies.data.map(({ id, inbox_id, content_type, size_bytes, created_at }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2 text-small">
            <Link
              href={`/inboxes/${inbox_id}?event=${id}`}
              scroll={false}
              className="min-w-0 truncate font-mono underline"
            >
              {id}
            </Link>
            <span className="text-muted">
              {content_type ?? "no type"}, {bytes(size_bytes)}, <Time unix={created_at} />
            </span>
          </li>
        ))}
      </ul>
      {replies.has_more && <p className="mt-1 text-small text-muted">The newest are shown.</p>}
    </Section>
  );
}

/** How long events have waited in an inbox, and how many have passed through it. */
function Figures({ stats }: { stats: InboxStats }) {
  const { oldest_ready_age_seconds: age, totals } = stats;
  const passed = Object.entries(totals).filter(([, count]) => count > 0);
  if (age === null && passed.length === 0) return null;
  return (
    <Section title="Figures">
      <Facts>
        {age !== null && (
          <Fact name="Oldest ready">
            <Time unix={Math.floor(Date.now() / 1000) - age} />
          </Fact>
        )}
        {passed.map(([name, count]) => (
          <Fact key={name} name={`${name[0]?.toUpperCase()}${name.slice(1)}`}>
            <span className="tabular-nums">{count.toLocaleString("en")}</span>
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}
