import { dashboardRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { stats, statsVersion } from "@/lib/resources/inboxes/stats";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  liveResponse(statsVersion(await stats(caller, id))),
);
