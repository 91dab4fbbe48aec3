import type { ReactNode } from "react";
import { confirmationWord } from "@/app/(dashboard)/_shared/form-fields";
import type { FormAction } from "@/components/ui/action-form";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { DescriptionFact, Fact, PaneFacts } from "@/components/ui/facts";
import { CopyCall, EditLink, Pane } from "@/components/ui/pane";
import { duration } from "@/components/ui/relative-time";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { Section } from "@/components/ui/section";
import { config } from "@/lib/platform/config/config";
import type { Inbox, InboxStats } from "@/lib/resources/inboxes/contract";
import type { EventState } from "@/lib/resources/inboxes/events/contract";
import { InboxFigures } from "./inbox-figures";
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
  const typed = confirmationWord(inbox);
  const api = `${config().baseUrl}/api/inboxes/${id}`;
  const snippet = consumerSnippet(api, organization_id !== null);
  return (
    <Pane
      label={inbox.name}
      title="About this inbox"
      isAside
      id={id}
      form={
        editing && <InboxForm action={actions.update} closeHref={here} inbox={inbox} tag={tag} />
      }
      primary={canWrite && <EditLink href={`${here}?edit=1`} />}
      more={
        <>
          <CopyCall path={`inboxes/${id}`} of={inbox} />
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
        </>
      }
    >
      <Section title="Consume events" aside={<CopyButton text={snippet}>Copy worker</CopyButton>}>
        <CodeBlock label="Shell worker">{snippet}</CodeBlock>
      </Section>
      {children}
      <InboxFigures stats={stats} />
      <PaneFacts>
        <DescriptionFact>{description}</DescriptionFact>
        <Fact name="Kept for">{duration(inbox.default_ttl_seconds)}</Fact>
        <ResourceFacts of={inbox} />
      </PaneFacts>
    </Pane>
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
