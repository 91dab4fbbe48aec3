import Link from "next/link";
import type { ReactNode } from "react";
import { confirmationWord } from "@/app/(dashboard)/_shared/form-fields";
import type { FormAction } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Fact, Facts } from "@/components/ui/facts";
import { Icon } from "@/components/ui/icon";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { config } from "@/lib/platform/config/config";
import type { WebhookEndpoint } from "@/lib/resources/webhooks/contract";
import { EndpointForm } from "./endpoint-form";

interface Props {
  endpoint: WebhookEndpoint;
  tag: string;
  canWrite: boolean;
  editing: boolean;
  /** How its events are verified and forwarded. */
  flow: ReactNode;
  actions: { update: FormAction; purge: FormAction; remove: FormAction };
}

/** The pane beside an endpoint's events. */
export function EndpointDetail({ endpoint, tag, canWrite, editing, flow, actions }: Props) {
  const { id, organization_id, description, event_count = 0 } = endpoint;
  const here = `/webhooks/${id}`;
  const events = `${event_count.toLocaleString("en")} ${event_count === 1 ? "event" : "events"}`;
  const word = confirmationWord(endpoint);
  return (
    <article aria-label={endpoint.name} className="p-4 sm:p-6">
      <h2 className="text-lead font-semibold">About this endpoint</h2>
      {editing ? (
        <div className="mt-4">
          <EndpointForm action={actions.update} closeHref={here} endpoint={endpoint} tag={tag} />
        </div>
      ) : (
        <div className="mt-3 flex flex-wrap gap-2">
          {canWrite && (
            <Link href={`${here}?edit=1`} prefetch={false} scroll={false} className="button">
              <Icon name="edit" />
              Edit
            </Link>
          )}
          <CopyButton
            text={curl(`${config().baseUrl}/api/webhooks/${id}/events`, {
              key: organization_id !== null,
            })}
          >
            Copy as curl
          </CopyButton>
          {canWrite && event_count > 0 && (
            <Confirm
              label="Purge"
              title="Remove all events?"
              consequence={`Deletes ${events}. The URL keeps working. This cannot be undone.`}
              confirm={`Purge ${events}`}
              action={actions.purge}
              fields={{ id }}
              typed={{ label: `Type ${word} to confirm`, value: word }}
            />
          )}
          {canWrite && (
            <Confirm
              label="Delete"
              title="Delete this endpoint?"
              consequence={`Deletes the endpoint and its ${events}. Senders will not be notified. This cannot be undone.`}
              confirm="Delete endpoint"
              action={actions.remove}
              fields={{ id }}
              typed={{ label: `Type ${word} to confirm`, value: word }}
            />
          )}
        </div>
      )}
      <div className="mt-5 border-t border-line pt-4">
        <Facts>
          {description && (
            <Fact name="Description">
              <span className="whitespace-pre-wrap">{description}</span>
            </Fact>
          )}
          <Fact name="Events">
            {event_count.toLocaleString("en")} of {endpoint.max_events.toLocaleString("en")}
          </Fact>
          <ResourceFacts of={endpoint} />
        </Facts>
      </div>
      {flow}
    </article>
  );
}
