import type { Metadata } from "next";
import { queryParam, withQuery } from "@/app/_shared/query";
import type { ResourcePage } from "@/app/_shared/resources";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { DetailPane } from "@/components/ui/list-and-detail";
import * as events from "@/lib/resources/webhooks/events/service";
import { forwardedOf } from "@/lib/resources/webhooks/forward/deliveries";
import { recentTargets } from "@/lib/resources/webhooks/replays/history";
import { preservedParams, readEndpoint } from "../../../_components/endpoint";
import { EventDetail } from "../../../_components/event-detail";
import { Journey } from "../../../_components/journey";
import { readEventReplays } from "../../../_components/replays";

export const metadata: Metadata = { title: "Captured request", robots: { index: false } };

export default async function EventPage({
  params,
  searchParams,
}: ResourcePage<{ eventId: string }>) {
  const { id, eventId } = await params;
  const search = await searchParams;
  const path = `/webhooks/${id}/events/${eventId}`;
  const here = withQuery(path, search);
  const { caller, endpoint, canWrite } = await readEndpoint(id, here);
  const event = await readOrNotFound(here, () => events.get(caller, id, eventId));
  const [replays, targets, forwarded] = await readOrNotFound(here, () =>
    Promise.all([
      readEventReplays(caller, id, eventId),
      recentTargets(caller, id),
      forwardedOf(caller, id, [eventId]),
    ]),
  );
  const kept = preservedParams(search);
  return (
    <DetailPane label="Event" isOpen>
      <EventDetail
        event={event}
        forwarded={forwarded[eventId]}
        captureUrl={endpoint.url}
        canWrite={canWrite}
        bodyChoice={queryParam(search, "body")}
        bodyHrefOf={(body) => withQuery(path, { ...kept, body })}
        tab={queryParam(search, "tab")}
        tabHrefOf={(tab) => withQuery(path, { ...kept, tab })}
        journey={<Journey caller={caller} event={event} />}
        closeHref={withQuery(`/webhooks/${endpoint.id}`, kept)}
        replays={replays}
        targets={targets}
      />
    </DetailPane>
  );
}
