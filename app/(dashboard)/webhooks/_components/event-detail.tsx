import type { ReactNode } from "react";
import type { Parts } from "@/app/(dashboard)/_shared/parts";
import { BodyView } from "@/components/bodies/body-view";
import { QueryTable } from "@/components/bodies/query-table";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { bytes } from "@/components/ui/bytes";
import { CopyButton } from "@/components/ui/copy";
import { curlOfRequest, fitsInCommand } from "@/components/ui/curl";
import { DeleteButton } from "@/components/ui/delete-button";
import { HeaderTable } from "@/components/ui/header-table";
import { Link } from "@/components/ui/link";
import { Method } from "@/components/ui/method";
import { CopyCall, callOf, Pane } from "@/components/ui/pane";
import { Time } from "@/components/ui/time";
import { REDACTED } from "@/lib/platform/http/recorded-headers";
import type { List } from "@/lib/platform/lists/list";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import { type Forwarded, isUnderWay } from "@/lib/resources/webhooks/forward/state";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { deleteEvent } from "../actions";
import { ReplaySection } from "./lazy-replay-section";
import { ForwardOutcome, VerificationOutcome } from "./outcome";
import { ReplayHistory } from "./replay-history";
import { pathBelowCaptureUrl } from "./request-path";

interface Props {
  event: WebhookEvent;
  /** Undefined if the event has been deleted. */
  forwarded: Forwarded | undefined;
  captureUrl: string;
  canWrite: boolean;
  parts: Parts;
  journey: ReactNode;
  closeHref: string;
  replays: List<EventReplay>;
  /** URLs to which the endpoint's events were replayed, the last one first. */
  targets: string[];
}

/** One captured request: its body first, then the rest in tabs. */
export function EventDetail(props: Props) {
  const { event, forwarded, captureUrl, canWrite, closeHref, parts } = props;
  const { id, endpoint_id } = event;
  const api = `webhooks/${endpoint_id}/events/${id}`;
  const headers = Object.entries(event.headers);
  const tabs = parts.tabs([
    { name: "Body" },
    { name: "Headers", count: headers.length },
    event.query_string !== "" && { name: "Query" },
    (canWrite || props.replays.data.length > 0) && { name: "Replays" },
    { name: "Journey" },
  ]);
  const { chosen } = tabs;
  return (
    <Pane
      label={`${event.method} request`}
      title={
        <>
          <Method method={event.method} />
          <span className="min-w-0 truncate font-mono">{pathBelowCaptureUrl(event) || "/"}</span>
        </>
      }
      isSmall
      id={id}
      state={
        <>
          {event.verified !== null && <VerificationOutcome event={event} />}
          {event.forward && forwarded && (
            <AutoRefresh
              href={
                isUnderWay(forwarded) ? `/webhooks/${endpoint_id}/forwarded?ids=${id}` : undefined
              }
              shown={JSON.stringify({ [id]: forwarded })}
            >
              <ForwardOutcome forward={event.forward} forwarded={forwarded} />
            </AutoRefresh>
          )}
          <span className="text-muted tabular-nums">
            {bytes(event.size_bytes)}, <Time unix={event.received_at} />
          </span>
        </>
      }
      closeHref={closeHref}
      primary={
        canWrite && (
          <Link
            href={parts.hrefOf({ tab: "replays" })}
            scroll={false}
            className="button button-primary"
          >
            Replay
          </Link>
        )
      }
      more={
        <>
          <Link href={`/webhooks/compare/${endpoint_id}?right=${id}`} className="button">
            Compare
          </Link>
          <CopyButton text={requestCommand(event, captureUrl, api)}>Copy as curl</CopyButton>
          <CopyCall path={api} of={event}>
            Copy API call
          </CopyCall>
          {canWrite && (
            <DeleteButton
              noun="event"
              consequence="Deletes this request only. This cannot be undone."
              action={deleteEvent}
              fields={{ id: endpoint_id, event: id, back: closeHref }}
            />
          )}
        </>
      }
      tabs={tabs}
    >
      {chosen === "Body" && (
        <BodyView
          body={event}
          contentType={event.headers["content-type"] ?? null}
          contentEncoding={event.headers["content-encoding"] ?? null}
          truncated={event.body_truncated}
          {...parts.body}
          href={`/webhooks/${endpoint_id}/events/${id}/body`}
        />
      )}
      {chosen === "Headers" && (
        <HeaderTable label="Headers" entries={headers} isCut={event.headers_truncated} />
      )}
      {chosen === "Query" && <QueryTable queryString={event.query_string} />}
      {chosen === "Replays" &&
        (canWrite ? (
          <ReplaySection
            endpointId={endpoint_id}
            eventId={id}
            formId={crypto.randomUUID()}
            history={props.replays}
            targets={props.targets}
          />
        ) : (
          <ReplayHistory history={props.replays} />
        ))}
      {chosen === "Journey" && props.journey}
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
