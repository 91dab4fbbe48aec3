import Link from "next/link";
import type { ReactNode } from "react";
import { confirmationWord } from "@/app/(dashboard)/_shared/form-fields";
import type { FormAction } from "@/components/ui/action-form";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Fact, Facts } from "@/components/ui/facts";
import { Icon } from "@/components/ui/icon";
import { duration } from "@/components/ui/relative-time";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { Section } from "@/components/ui/section";
import { config } from "@/lib/platform/config/config";
import type { Inbox, InboxStats } from "@/lib/resources/inboxes/contract";
import type { EventState } from "@/lib/resources/inboxes/events/contract";
import { InboxForm } from "./inbox-form";

interface Props {
  inbox: Inbox;
  stats: InboxStats;
  /** The filter of the list. A purge deletes the listed events. */
  state: EventState | undefined;
  tag: string;
  canWrite: boolean;
  editing: boolean;
  actions: { update: FormAction; purge: FormAction; remove: FormAction };
  /** Further sections. */
  children: ReactNode;
}

/** The pane beside an inbox's events. */
export function InboxDetail(props: Props) {
  const { inbox, stats, state, tag, canWrite, editing, actions, children } = props;
  const { id, organization_id, description } = inbox;
  const here = `/inboxes/${id}`;
  const all = stats.ready + stats.delayed + stats.leased + stats.dead;
  const purged = state === undefined ? all : stats[state];
  const what = (count: number) =>
    `${count.toLocaleString("en")} ${count === 1 ? "event" : "events"}`;
  const word = confirmationWord(inbox);
  const typed = { label: `Type ${word} to confirm`, value: word };
  const api = `${config().baseUrl}/api/inboxes/${id}`;
  const snippet = consumerSnippet(api, organization_id !== null);
  return (
    <article aria-label={inbox.name} className="p-4 sm:p-6">
      <h2 className="text-lead font-semibold">About this inbox</h2>
      {editing ? (
        <div className="mt-4">
          <InboxForm action={actions.update} closeHref={here} inbox={inbox} tag={tag} />
        </div>
      ) : (
        <div className="mt-3 flex flex-wrap gap-2">
          {canWrite && (
            <Link href={`${here}?edit=1`} prefetch={false} scroll={false} className="button">
              <Icon name="edit" />
              Edit
            </Link>
          )}
          <CopyButton text={curl(api, { key: organization_id !== null })}>Copy as curl</CopyButton>
          {canWrite && purged > 0 && (
            <Confirm
              label={state === undefined ? "Purge" : `Purge ${state}`}
              title={state === undefined ? "Remove all events?" : `Remove all ${state} events?`}
              consequence={`Deletes ${what(purged)}${
                stats.leased > 0 && state === undefined ? `, ${stats.leased} of them leased` : ""
              }${state === undefined ? ", and all replies" : ""}. This cannot be undone.`}
              confirm={`Purge ${what(purged)}`}
              action={actions.purge}
              fields={{ id, state: state ?? "" }}
              typed={typed}
            />
          )}
          {canWrite && (
            <Confirm
              label="Delete"
              title="Delete this inbox?"
              consequence={`Deletes the inbox and its ${what(all)}. Senders will get 404. This cannot be undone.`}
              confirm="Delete inbox"
              action={actions.remove}
              fields={{ id }}
              typed={typed}
            />
          )}
        </div>
      )}
      <Section title="Consume events" aside={<CopyButton text={snippet}>Copy worker</CopyButton>}>
        <CodeBlock label="Shell worker">{snippet}</CodeBlock>
      </Section>
      {children}
      <div className="mt-5 border-t border-line pt-4">
        <Facts>
          {description && (
            <Fact name="Description">
              <span className="whitespace-pre-wrap">{description}</span>
            </Fact>
          )}
          <Fact name="Events expire after">{duration(inbox.default_ttl_seconds)}</Fact>
          <ResourceFacts of={inbox} />
        </Facts>
      </div>
    </article>
  );
}

/** A complete worker: it receives an event, works, and acknowledges it with the next call. */
function consumerSnippet(apiUrl: string, isOwned: boolean): string {
  const key = isOwned ? ' -H "Authorization: Bearer $API_KEY"' : "";
  return `ack='[]'
while got=$(curl -sf ${apiUrl}/events/receive${key} \\
    -d '{"wait_seconds": 20, "ack": '"$ack"'}'); do
  echo "$got" | jq -c '.data[] | .body'   # your work
  ack=$(echo "$got" | jq -c '[.data[] | {event_id: .id, lease_id}]')
done`;
}
