import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import { EventDetail } from "@/components/webhooks/event-detail";
import * as events from "@/lib/webhooks/events";
import * as webhooks from "@/lib/webhooks/service";
import { deleteEvent, replayEvent } from "../../../actions";
import { EndpointView, keptOf } from "../../../endpoint-view";

interface Props {
  params: Promise<{ id: string; eventId: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Captured request", robots: { index: false } };

export default async function EventPage({ params, searchParams }: Props) {
  const { id, eventId } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const path = `/webhooks/${id}/events/${eventId}`;
  const [endpoint, event] = await found(address(path, search), () =>
    Promise.all([webhooks.get(caller, id), events.get(caller, id, eventId)]),
  );
  const kept = keptOf(search);
  return (
    <EndpointView
      caller={caller}
      endpoint={endpoint}
      params={search}
      isSignedIn={account !== null}
      openId={event.id}
      pane={
        <EventDetail
          event={event}
          captureUrl={endpoint.url}
          canWrite={caller.kind === "anonymous" || caller.scopes.includes("api.write")}
          bodyChoice={one(search, "body")}
          bodyHrefOf={(body) => address(path, { ...kept, body })}
          closeHref={address(`/webhooks/${endpoint.id}`, kept)}
          formId={crypto.randomUUID()}
          actions={{ replay: replayEvent, remove: deleteEvent }}
        />
      }
    />
  );
}
