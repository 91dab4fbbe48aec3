import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import {
  endpointOf,
  eventAddress,
  preservedParams,
} from "@/app/(dashboard)/webhooks/_components/endpoint";
import { EventDetail } from "@/app/(dashboard)/webhooks/_components/event-detail";
import { Pane } from "@/app/(dashboard)/webhooks/_components/pane";
import * as events from "@/lib/webhooks/events/service";
import { deleteEvent, replayEvent } from "../../../../actions";

interface Props {
  params: Promise<{ id: string; eventId: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function EventPane({ params, searchParams }: Props) {
  const { id, eventId } = await params;
  const search = await searchParams;
  const here = eventAddress(id, eventId, search);
  const { caller, endpoint, canWrite } = await endpointOf(id, here);
  const event = await readOrNotFound(here, () => events.get(caller, id, eventId));
  const kept = preservedParams(search);
  return (
    <Pane label="Event" data-event>
      <EventDetail
        event={event}
        captureUrl={endpoint.url}
        canWrite={canWrite}
        bodyChoice={queryParam(search, "body")}
        bodyHrefOf={(body) => eventAddress(id, eventId, { ...kept, body })}
        closeHref={withQuery(`/webhooks/${endpoint.id}`, kept)}
        formId={crypto.randomUUID()}
        actions={{ replay: replayEvent, remove: deleteEvent }}
      />
    </Pane>
  );
}
