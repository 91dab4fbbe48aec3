import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import { follow, followedVersion } from "@/lib/resources/webhooks/events/follow";

export const GET = liveResource<{ eventId: string }>(async (caller, { id, eventId }) =>
  followedVersion(await follow(caller, id, eventId)),
);
