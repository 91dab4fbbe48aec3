import type { ReactNode } from "react";
import { Confirm } from "@/components/ui/confirm";
import { DeleteButton } from "@/components/ui/delete-button";
import { DescriptionFact, Fact, PaneFacts } from "@/components/ui/facts";
import { CopyCall, EditLink, Pane } from "@/components/ui/pane";
import { duration } from "@/components/ui/relative-time";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { confirmationWord } from "@/lib/platform/confirmation-word";
import { counted } from "@/lib/platform/counted";
import type { Inbox, InboxStats } from "@/lib/resources/inboxes/contract";
import type { EventState } from "@/lib/resources/inboxes/events/contract";
import { deleteInbox, purgeInbox } from "../actions";
import { InboxFigures } from "./inbox-figures";
import { InboxForm } from "./inbox-form";
import { WorkerCode } from "./worker-code";

interface Props {
  inbox: Inbox;
  stats: InboxStats;
  /** The filter of the list. A purge deletes the listed events. */
  state: EventState | undefined;
  canWrite: boolean;
  editing: boolean;
  /** Further sections. */
  children: ReactNode;
}

/** The pane beside an inbox's events. */
export function InboxDetail(props: Props) {
  const { inbox, stats, state, canWrite, editing, children } = props;
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
      form={editing && <InboxForm closeHref={here} inbox={inbox} />}
      primary={canWrite && <EditLink href={`${here}?edit=1`} />}
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
