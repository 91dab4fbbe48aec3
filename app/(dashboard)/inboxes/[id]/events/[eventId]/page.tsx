import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import { EventState } from "@/components/inboxes/event-state";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { BodyView } from "@/components/ui/body-view";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton, CopyText } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Detail } from "@/components/ui/detail";
import { Fact, Facts } from "@/components/ui/facts";
import { Split } from "@/components/ui/split";
import { Time } from "@/components/ui/time";
import { config } from "@/lib/config";
import type { InboxEvent } from "@/lib/inboxes/event-contract";
import * as events from "@/lib/inboxes/events";
import * as inboxes from "@/lib/inboxes/service";
import { deleteEvent, redriveEvent } from "../../../actions";
import { InboxView } from "../../inbox-view";

interface Props {
  params: Promise<{ id: string; eventId: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Inbox event", robots: { index: false } };

export default async function InboxEventPage({ params, searchParams }: Props) {
  const { id, eventId } = await params;
  const search = await searchParams;
  const { caller } = await visitor();
  const here = address(`/inboxes/${id}/events/${eventId}`, { ...search });
  const [inbox, event] = await found(here, () =>
    Promise.all([inboxes.get(caller, id), events.get(caller, id, eventId)]),
  );
  const canWrite = caller.kind === "anonymous" || caller.scopes.includes("api.write");
  const kept = { state: one(search, "state"), shown: one(search, "shown") };
  return (
    <Split list={<InboxView caller={caller} inbox={inbox} params={search} openId={eventId} />}>
      <Detail
        title="Event"
        id={eventId}
        closeHref={address(`/inboxes/${id}`, kept)}
        state={<EventState event={event} />}
        actions={<Actions event={event} canWrite={canWrite} />}
      >
        <div className="grid gap-5">
          <BodyView
            body={event.body}
            encoding={event.body_encoding}
            parsed={event.parsed_body}
            view="pretty"
          />
          <EventFacts event={event} />
          <CodeBlock label="Headers">
            {Object.entries(event.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n")}
          </CodeBlock>
        </div>
      </Detail>
    </Split>
  );
}

function Actions({ event, canWrite }: { event: InboxEvent; canWrite: boolean }) {
  const { id, inbox_id, organization_id, state } = event;
  const url = `${config().baseUrl}/api/inboxes/${inbox_id}/events/${id}`;
  return (
    <>
      {canWrite && state === "dead" && (
        <ActionForm action={redriveEvent}>
          <input type="hidden" name="id" value={inbox_id} />
          <input type="hidden" name="event" value={id} />
          <Submit className="button">Redrive</Submit>
        </ActionForm>
      )}
      <CopyButton text={curl(url, { key: organization_id !== null })}>Copy as curl</CopyButton>
      {canWrite && (
        <Confirm
          id={`delete-${id}`}
          label="Delete"
          title="Delete this event?"
          consequence="No worker will get it any more; one that holds it now goes on, and cannot acknowledge it."
          confirm="Delete event"
          action={deleteEvent}
          fields={{ id: inbox_id, event: id }}
        />
      )}
    </>
  );
}

function EventFacts({ event }: { event: InboxEvent }) {
  return (
    <Facts>
      <Fact name="Came">
        <Time unix={event.received_at} />
        {event.source_ip && `, from ${event.source_ip}`}
      </Fact>
      <Fact name="Expires">
        <Time unix={event.expires_at} />
      </Fact>
      <Fact name="Size">
        {event.size_bytes} bytes{event.content_type && `, ${event.content_type}`}
      </Fact>
      <Fact name="Deliveries">
        {event.delivery_count}
        {event.consumer && `, last to ${event.consumer}`}
      </Fact>
      {event.last_error && <Fact name="Last error">{event.last_error}</Fact>}
      {event.dedup_id && (
        <Fact name="Dedup ID">
          <CopyText text={event.dedup_id} />
        </Fact>
      )}
    </Facts>
  );
}
