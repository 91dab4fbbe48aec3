import type { Metadata } from "next";
import { withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, readOnce } from "@/app/_shared/resources";
import { partsOf } from "@/app/(dashboard)/_shared/parts";
import { orNull, readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { DetailPane } from "@/components/ui/list-and-detail";
import { Pane } from "@/components/ui/pane";
import * as events from "@/lib/resources/webhooks/events/service";
import { forwardedOf } from "@/lib/resources/webhooks/forward/deliveries";
import { recentTargets } from "@/lib/resources/webhooks/replays/history";
import * as webhooks from "@/lib/resources/webhooks/service";
import { preservedParams } from "../../../_components/endpoint";
import { EventDetail } from "../../../_components/event-detail";
import { Journey } from "../../../_components/journey";
import { readEventReplays } from "../../../_components/replays";

export const metadata: Metadata = { title: "Captured request", robots: { index: false } };

export default async function EventPage(props: ResourcePage<{ eventId: string }>) {
  const { id, eventId, search, caller, canWrite } = await openPage(props);
  const path = `/webhooks/${id}/events/${eventId}`;
  const here = withQuery(path, search);
  const [endpoint, event] = await readOrNotFound(here, () =>
    Promise.all([readOnce(webhooks.get, caller, id), orNull(events.get(caller, id, eventId))]),
  );
  const kept = preservedParams(search);
  const closeHref = withQuery(`/webhooks/${endpoint.id}`, kept);
  if (!event) {
    return (
      <DetailPane label="Event" isOpen>
        <Pane label="Event" title="This event is gone" isSmall closeHref={closeHref}>
          <p className="mt-4 text-muted">
            Newer events replaced it, or it was deleted. The list shows what is left.
          </p>
        </Pane>
      </DetailPane>
    );
  }
  const [replays, targets, forwarded] = await readOrNotFound(here, () =>
    Promise.all([
      readEventReplays(caller, id, eventId),
      recentTargets(caller, id),
      forwardedOf(caller, id, [eventId]),
    ]),
  );
  return (
    <DetailPane label="Event" isOpen>
      <EventDetail
        event={event}
        forwarded={forwarded[eventId]}
        captureUrl={endpoint.url}
        canWrite={canWrite}
        parts={partsOf(search, (part) => withQuery(path, { ...kept, ...part }))}
        journey={<Journey caller={caller} event={event} />}
        closeHref={closeHref}
        replays={replays}
        targets={targets}
      />
    </DetailPane>
  );
}
