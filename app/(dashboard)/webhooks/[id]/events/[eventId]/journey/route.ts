import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import { versionTag } from "@/lib/platform/http/conditional";
import { follow } from "@/lib/resources/webhooks/events/follow";

export const GET = liveResource<{ eventId: string }>(async (caller, { id, eventId }) =>
  versionTag(await follow(caller, id, eventId)),
);
