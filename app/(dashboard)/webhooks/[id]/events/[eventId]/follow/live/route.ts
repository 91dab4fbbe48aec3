import { dashboardRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { follow, versionOf } from "@/lib/webhooks/events/follow";

export const GET = dashboardRoute<{ id: string; eventId: string }>(async (caller, params) =>
  liveAnswer(versionOf(await follow(caller, params.id, params.eventId))),
);
