import type { ReactNode } from "react";
import { InInbox } from "@/app/(dashboard)/_shared/in-inbox";
import { OriginStep } from "@/app/(dashboard)/_shared/origin-step";
import type { Parts } from "@/app/(dashboard)/_shared/parts";
import { BodyView } from "@/components/bodies/body-view";
import { QueryTable } from "@/components/bodies/query-table";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { bytes } from "@/components/ui/bytes";
import { CopyText } from "@/components/ui/copy";
import { DeleteButton } from "@/components/ui/delete-button";
import { Fact, Facts } from "@/components/ui/facts";
import { HeaderTable } from "@/components/ui/header-table";
import { CopyCall, Pane } from "@/components/ui/pane";
import { Step, Steps } from "@/components/ui/steps";
import { Time } from "@/components/ui/time";
import type { InboxEvent } from "@/lib/resources/inboxes/events/contract";
import type { Origin } from "@/lib/resources/webhooks/events/origin";
import { deleteInboxEvent, redriveEvent } from "../actions";
import { InboxEventState } from "./event-state";

interface Props {
  /** Null if it no longer exists. */
  event: InboxEvent | null;
  /** The query of the request that sent it. */
  queryString: string;
  /** The fact that names its schedule. */
  schedule: ReactNode;
  origin: Origin | null;
  canWrite: boolean;
  parts: Parts;
  closeHref: string;
}

/** One event of an inbox. Viewing does not receive it. */
export function InboxEventDetail(props: Props) {
  const { event, origin, canWrite, closeHref, parts } = props;
  if (!event) return <MissingEvent origin={origin} closeHref={closeHref} />;
  const { id, inbox_id, state, dedup_id, source_ip } = event;
  const fields = { id: inbox_id, event: id };
  const headers = Object.entries(event.headers);
  const tabs = parts.tabs([
    { name: "Body" },
    { name: "Headers", count: headers.length },
    props.queryString !== "" && { name: "Query" },
    { name: "Journey" },
  ]);
  const { chosen } = tabs;
  return (
    <Pane
      label="Event"
      title="Event"
      isAside
      id={id}
      state={
        <>
          <InboxEventState state={state} />
          <span className="text-muted tabular-nums">
            {bytes(event.size_bytes)}, <Time unix={event.received_at} />
          </span>
        </>
      }
      closeHref={closeHref}
      primary={
        canWrite &&
        state === "dead" && (
          <ActionForm action={redriveEvent} fields={fields}>
            <Submit>Redrive</Submit>
          </ActionForm>
        )
      }
      more={
        <>
          <CopyCall path={`inboxes/${inbox_id}/events/${id}`} of={event}>
            Copy API call
          </CopyCall>
          {canWrite && (
            <DeleteButton
              noun="event"
              consequence={
                state === "leased"
                  ? `${event.consumer ?? "A worker"} holds its lease and will not be able to acknowledge it. This cannot be undone.`
                  : "No worker will receive it. This cannot be undone."
              }
              action={deleteInboxEvent}
              fields={{ ...fields, back: closeHref }}
            />
          )}
        </>
      }
      tabs={tabs}
    >
      {chosen === "Body" && (
        <BodyView
          body={event}
          contentType={event.content_type}
          contentEncoding={event.headers["content-encoding"] ?? null}
          {...parts.body}
          href={`/inboxes/${inbox_id}/events/${id}/body`}
        />
      )}
      {chosen === "Headers" && (
        <HeaderTable label="Headers" entries={headers} isCut={event.headers_truncated} />
      )}
      {chosen === "Query" && <QueryTable queryString={props.queryString} />}
      {chosen === "Journey" && (
        <>
          <Steps since={origin?.received_at ?? event.received_at}>
            <OriginStep origin={origin} />
            <Step tone="ok" word="Added to the inbox" at={event.received_at}>
              {source_ip !== null && <p className="text-small text-muted">from {source_ip}</p>}
            </Step>
            <InInbox
              event={{ ...event, visible_at: event.leased_until ?? event.visible_at ?? 0 }}
            />
          </Steps>
          <div className="mt-4">
            <Facts>
              {props.schedule}
              {dedup_id !== null && (
                <Fact name="Dedup ID">
                  <CopyText text={dedup_id} />
                </Fact>
              )}
            </Facts>
          </div>
        </>
      )}
    </Pane>
  );
}

function MissingEvent({ origin, closeHref }: Pick<Props, "origin" | "closeHref">) {
  return (
    <Pane label="Event" title="This event is gone" isAside closeHref={closeHref}>
      <p className="mt-4 text-muted">
        A worker acknowledged it, it expired, or it was deleted. The list shows what is left.
      </p>
      {origin && (
        <div className="mt-4">
          <Steps>
            <OriginStep origin={origin} />
          </Steps>
        </div>
      )}
    </Pane>
  );
}
