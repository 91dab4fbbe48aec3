import type { ReactNode } from "react";
import { FollowLink } from "@/app/(dashboard)/_shared/follow-link";
import type { BodyChoice } from "@/components/bodies/body-content";
import { BodyView } from "@/components/bodies/body-view";
import { QuerySection } from "@/components/bodies/query-section";
import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyText } from "@/components/ui/copy";
import { Fact, None, PaneFacts, TimeFact } from "@/components/ui/facts";
import { HeaderTable } from "@/components/ui/header-table";
import { CopyCall, Pane } from "@/components/ui/pane";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import type { InboxEvent } from "@/lib/resources/inboxes/events/contract";
import type { Origin } from "@/lib/resources/webhooks/events/origin";
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
  bodyChoice: string | undefined;
  bodyHrefOf(choice: BodyChoice): string;
  closeHref: string;
  actions: { redrive: FormAction; remove: FormAction };
}

/** One event of an inbox. Viewing does not receive it. */
export function InboxEventDetail(props: Props) {
  const { event, origin, canWrite, bodyChoice, bodyHrefOf, closeHref, actions } = props;
  if (!event) return <MissingEvent origin={origin} closeHref={closeHref} />;
  const { id, inbox_id, state, last_error } = event;
  const fields = { id: inbox_id, event: id };
  return (
    <Pane
      label="Event"
      title={
        <>
          Event <InboxEventState state={state} />
        </>
      }
      isAside
      id={id}
      closeHref={closeHref}
      tools={
        <>
          {canWrite && state === "dead" && (
            <ActionForm action={actions.redrive}>
              <input type="hidden" name="id" value={inbox_id} />
              <input type="hidden" name="event" value={id} />
              <Submit>Redrive</Submit>
            </ActionForm>
          )}
          <FollowLink origin={origin} />
          <CopyCall path={`inboxes/${inbox_id}/events/${id}`} of={event}>
            Copy API call
          </CopyCall>
          {canWrite && (
            <Confirm
              label="Delete"
              title="Delete this event?"
              consequence={
                state === "leased"
                  ? `${event.consumer ?? "A worker"} holds its lease and will not be able to acknowledge it. This cannot be undone.`
                  : "No worker will receive it. This cannot be undone."
              }
              confirm="Delete event"
              action={actions.remove}
              fields={fields}
            />
          )}
        </>
      }
    >
      <PaneFacts>
        <TimeFact name="Received" unix={event.received_at} />
        <TimeFact name="Expires" unix={event.expires_at} />
        {state === "delayed" && <TimeFact name="Ready" unix={event.visible_at} />}
        {event.leased_until !== null && (
          <Fact name="Leased">
            {event.consumer ?? "a worker"}, until <Time unix={event.leased_until} />
          </Fact>
        )}
        <Fact name="Deliveries">{event.delivery_count}</Fact>
        {event.dedup_id !== null && (
          <Fact name="Dedup ID">
            <CopyText text={event.dedup_id} />
          </Fact>
        )}
        {props.schedule}
        <Fact name="Type">{event.content_type ?? <None />}</Fact>
        <Fact name="From">{event.source_ip ?? <None>unknown</None>}</Fact>
      </PaneFacts>
      {last_error !== null && (
        <Section title="Last error">
          <CodeBlock label="Last error">{last_error}</CodeBlock>
        </Section>
      )}
      <BodyView
        body={event}
        contentType={event.content_type}
        contentEncoding={event.headers["content-encoding"] ?? null}
        choice={bodyChoice}
        hrefOf={bodyHrefOf}
        href={`/inboxes/${inbox_id}/events/${id}/body`}
      />
      <QuerySection queryString={props.queryString} />
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

function MissingEvent({ origin, closeHref }: Pick<Props, "origin" | "closeHref">) {
  return (
    <Pane
      label="Event"
      title="This event is gone"
      isAside
      closeHref={closeHref}
      tools={origin && <FollowLink origin={origin} />}
    >
      <p className="mt-4 text-muted">
        A worker acknowledged it, it expired, or it was deleted. The list shows what is left.
      </p>
    </Pane>
  );
}
