import Link from "next/link";
import type { BodyChoice } from "@/components/bodies/body-content";
import { BodyView } from "@/components/bodies/body-view";
import { QuerySection } from "@/components/bodies/query-section";
import type { FormAction } from "@/components/ui/action-form";
import { CloseLink } from "@/components/ui/close-link";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton, CopyText } from "@/components/ui/copy";
import { curl, curlOfRequest, fitsInCommand } from "@/components/ui/curl";
import { Fact, Facts } from "@/components/ui/facts";
import { HeaderTable } from "@/components/ui/header-table";
import { Method } from "@/components/ui/method";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import { config } from "@/lib/platform/config/config";
import { REDACTED } from "@/lib/platform/http/recorded-headers";
import type { List } from "@/lib/platform/lists/list";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import type { Forwarded } from "@/lib/resources/webhooks/forward/state";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { ForwardOutcome, VerificationOutcome } from "./outcome";
import { type Replayed, ReplaySection } from "./replay-section";
import { pathBelowCaptureUrl } from "./request-path";

interface Props {
  event: WebhookEvent;
  /** Undefined if the event has been deleted. */
  forwarded: Forwarded | undefined;
  captureUrl: string;
  canWrite: boolean;
  bodyChoice: string | undefined;
  bodyHrefOf(choice: BodyChoice): string;
  followHref: string;
  closeHref: string;
  /** The idempotency key of the replay form. */
  formId: string;
  replays: List<EventReplay>;
  /** URLs to which the endpoint's events were replayed, the last one first. */
  targets: string[];
  actions: { replay: FormAction<Replayed>; remove: FormAction };
}

/** One captured request in full. */
export function EventDetail(props: Props) {
  const { event, forwarded, captureUrl, canWrite, bodyChoice, bodyHrefOf, closeHref, actions } =
    props;
  const { id, endpoint_id, organization_id } = event;
  const path = pathBelowCaptureUrl(event);
  const isOwned = organization_id !== null;
  const api = `${config().baseUrl}/api/webhooks/${endpoint_id}/events/${id}`;
  return (
    <article aria-label={`${event.method} request`} className="p-4 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <h1 className="flex min-w-0 items-center gap-2.5 text-lead font-semibold">
          <Method method={event.method} />
          <span className="min-w-0 truncate font-mono">{path || "/"}</span>
        </h1>
        <CloseLink href={closeHref} />
      </div>
      <p className="mt-1">
        <CopyText text={id} />
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link href={props.followHref} prefetch={false} scroll={false} className="button">
          Follow
        </Link>
        <Link
          href={`/webhooks/compare/${endpoint_id}?right=${id}`}
          prefetch={false}
          className="button"
        >
          Compare
        </Link>
        <CopyButton text={requestCommand(event, captureUrl, api)}>Copy as curl</CopyButton>
        <CopyButton text={curl(api, { key: isOwned })}>Copy API call</CopyButton>
        {canWrite && (
          <Confirm
            label="Delete"
            title="Delete this event?"
            consequence="Deletes this request only. This cannot be undone."
            confirm="Delete event"
            action={actions.remove}
            fields={{ id: endpoint_id, event: id }}
          />
        )}
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <Facts>
          <Fact name="Captured">
            <Time unix={event.received_at} />
          </Fact>
          <Fact name="From">{event.source_ip ?? <span className="text-muted">unknown</span>}</Fact>
          <Fact name="Path">
            <span className="font-mono text-small">{event.path}</span>
          </Fact>
          {event.verified !== null && (
            <Fact name="Signature">
              <VerificationOutcome event={event} />
            </Fact>
          )}
          {event.forward && forwarded && (
            <Fact name="Forward">
              <ForwardOutcome forward={event.forward} forwarded={forwarded} />
            </Fact>
          )}
          <Fact name="Type">
            <span className="font-mono text-small">
              {event.headers["content-type"] ?? <span className="text-muted">none</span>}
            </span>
          </Fact>
        </Facts>
      </div>
      {canWrite && (
        <ReplaySection
          action={actions.replay}
          endpointId={endpoint_id}
          eventId={id}
          formId={props.formId}
          history={props.replays}
          targets={props.targets}
        />
      )}
      <QuerySection queryString={event.query_string} />
      <BodyView
        body={event}
        contentType={event.headers["content-type"] ?? null}
        contentEncoding={event.headers["content-encoding"] ?? null}
        truncated={event.body_truncated}
        choice={bodyChoice}
        hrefOf={bodyHrefOf}
        href={`/webhooks/${endpoint_id}/events/${id}/body`}
      />
      <Section title={`Headers, ${Object.keys(event.headers).length}`}>
        <HeaderTable
          label="Headers"
          entries={Object.entries(event.headers)}
          isCut={event.headers_truncated}
        />
      </Section>
    </article>
  );
}

/** A command that sends a captured request to the capture URL again. */
function requestCommand(event: WebhookEvent, captureUrl: string, apiUrl: string): string {
  const { method, headers, body, body_encoding } = event;
  const fits = fitsInCommand(body, body_encoding);
  return curlOfRequest({
    method,
    url: captureUrl + pathBelowCaptureUrl(event),
    headers: Object.entries(headers).filter(([, value]) => !value.includes(REDACTED)),
    body: fits ? body : null,
    ...(!fits && { bodyFrom: curl(`${apiUrl}/raw`, { key: event.organization_id !== null }) }),
  });
}
