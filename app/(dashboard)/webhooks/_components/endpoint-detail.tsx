import type { ReactNode } from "react";
import { withQuery } from "@/app/_shared/query";
import { Confirm } from "@/components/ui/confirm";
import { DeleteButton } from "@/components/ui/delete-button";
import { DescriptionFact, Fact, PaneFacts } from "@/components/ui/facts";
import { CopyCall, EditLink, Pane } from "@/components/ui/pane";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { confirmationWord } from "@/lib/platform/confirmation-word";
import { counted } from "@/lib/platform/counted";
import type { WebhookEndpoint } from "@/lib/resources/webhooks/contract";
import { deleteEndpoint, purgeEvents } from "../actions";
import { EndpointForm } from "./endpoint-form";

interface Props {
  endpoint: WebhookEndpoint;
  canWrite: boolean;
  editing: boolean;
  /** The parameters of the list, which stays beside the form. */
  kept: Record<string, string | undefined>;
  /** The list, if the settings are open without it on a narrow screen. */
  closeHref: string | undefined;
  /** How its events are verified and forwarded. */
  flow: ReactNode;
}

/** The pane beside an endpoint's events. */
export function EndpointDetail({ endpoint, canWrite, editing, kept, closeHref, flow }: Props) {
  const { id, event_count = 0 } = endpoint;
  // More may have come since, and the confirmation does not change while it is open.
  const events = `${counted(event_count, "event")} when this page was loaded`;
  const here = `/webhooks/${id}`;
  const typed = confirmationWord(endpoint);
  return (
    <Pane
      label={endpoint.name}
      title="About this endpoint"
      isAside
      id={id}
      closeHref={closeHref}
      form={editing && <EndpointForm closeHref={withQuery(here, kept)} endpoint={endpoint} />}
      primary={canWrite && <EditLink href={withQuery(here, { ...kept, edit: 1 })} />}
      more={
        <>
          <CopyCall path={`webhooks/${id}/events`} of={endpoint} />
          {canWrite && (
            <Confirm
              label="Purge"
              title="Remove all events?"
              consequence={`Deletes all its events (${events}). The URL keeps working. This cannot be undone.`}
              confirm="Purge all events"
              action={purgeEvents}
              fields={{ id }}
              typed={typed}
            />
          )}
          {canWrite && (
            <DeleteButton
              noun="endpoint"
              consequence={`Deletes the endpoint and all its events (${events}). Senders will not be notified. This cannot be undone.`}
              action={deleteEndpoint}
              fields={{ id }}
              typed={typed}
            />
          )}
        </>
      }
    >
      <PaneFacts>
        <DescriptionFact>{endpoint.description}</DescriptionFact>
        <Fact name="Events kept">Up to {endpoint.max_events.toLocaleString("en")}</Fact>
        <ResourceFacts of={endpoint} />
      </PaneFacts>
      {flow}
    </Pane>
  );
}
