import type { BodyChoice } from "@/components/bodies/body-content";
import { BodyView } from "@/components/bodies/body-view";
import { QuerySection } from "@/components/bodies/query-section";
import type { FormAction } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { curlOfRequest, fitsInCommand } from "@/components/ui/curl";
import { Fact, None, PaneFacts, TimeFact } from "@/components/ui/facts";
import { HeaderTable } from "@/components/ui/header-table";
import { Link } from "@/components/ui/link";
import { CopyCall, callOf, Pane } from "@/components/ui/pane";
import { Section } from "@/components/ui/section";
import { REDACTED } from "@/lib/platform/http/recorded-headers";
import type { List } from "@/lib/platform/lists/list";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import type { Forwarded } from "@/lib/resources/webhooks/forward/state";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { ForwardOutcome, VerificationOutcome } from "./outcome";
import { type Replayed, ReplaySection } from "./replay-section";
import { pathBelowCaptureUrl } from "./request-path";
import { RequestTitle } from "./request-title";

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
  const { id, endpoint_id } = event;
  const api = `webhooks/${endpoint_id}/events/${id}`;
  return (
    <Pane
      label={`${event.method} request`}
      title={<RequestTitle request={event} />}
      isSmall
      id={id}
      closeHref={closeHref}
      tools={
        <>
          <Link href={props.followHref} scroll={false} className="button">
            Follow
          </Link>
          <Link href={`/webhooks/compare/${endpoint_id}?right=${id}`} className="button">
            Compare
          </Link>
          <CopyButton text={requestCommand(event, captureUrl, api)}>Copy as curl</CopyButton>
          <CopyCall path={api} of={event}>
            Copy API call
          </CopyCall>
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
        </>
      }
    >
      <PaneFacts>
        <TimeFact name="Captured" unix={event.received_at} />
        <Fact name="From">{event.source_ip ?? <None>unknown</None>}</Fact>
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
          <span className="font-mono text-small">{event.headers["content-type"] ?? <None />}</span>
        </Fact>
      </PaneFacts>
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
    </Pane>
  );
}

/** A command that sends a captured request to the capture URL again. */
function requestCommand(event: WebhookEvent, captureUrl: string, api: string): string {
  const { method, headers, body, body_encoding } = event;
  const fits = fitsInCommand(body, body_encoding);
  return curlOfRequest({
    method,
    url: captureUrl + pathBelowCaptureUrl(event),
    headers: Object.entries(headers).filter(([, value]) => !value.includes(REDACTED)),
    body: fits ? body : null,
    ...(!fits && { bodyFrom: callOf(`${api}/raw`, event) }),
  });
}
