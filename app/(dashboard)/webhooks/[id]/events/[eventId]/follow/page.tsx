import type { Metadata } from "next";
import { withQuery } from "@/app/_shared/query";
import type { ResourcePage } from "@/app/_shared/resources";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { DetailPane } from "@/components/ui/list-and-detail";
import { follow, followedVersion, hasEnded } from "@/lib/resources/webhooks/events/follow";
import { preservedParams, readEndpoint } from "../../../../_components/endpoint";
import { Followed } from "../../../../_components/followed-event";

export const metadata: Metadata = { title: "Event from capture to end", robots: { index: false } };

export default async function FollowPage({
  params,
  searchParams,
}: ResourcePage<{ eventId: string }>) {
  const { id, eventId } = await params;
  const search = await searchParams;
  const eventPath = `/webhooks/${id}/events/${eventId}`;
  const here = withQuery(`${eventPath}/follow`, search);
  const { caller } = await readEndpoint(id, here);
  const followed = await readOrNotFound(here, () => follow(caller, id, eventId));
  const kept = preservedParams(search);
  return (
    <DetailPane label="Event" isOpen>
      <AutoRefresh
        href={hasEnded(followed) ? undefined : `${eventPath}/follow/live`}
        shown={followedVersion(followed)}
      >
        <Followed
          followed={followed}
          eventHref={withQuery(eventPath, kept)}
          closeHref={withQuery(`/webhooks/${id}`, kept)}
        />
      </AutoRefresh>
    </DetailPane>
  );
}
