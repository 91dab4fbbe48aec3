import { dashboardRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { follow, followedVersion } from "@/lib/resources/webhooks/events/follow";

export const GET = dashboardRoute<{ id: string; eventId: string }>(async (caller, params) =>
  liveResponse(followedVersion(await follow(caller, params.id, params.eventId))),
);
