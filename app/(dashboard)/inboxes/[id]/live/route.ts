import { dashboardRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { stats, versionOf } from "@/lib/resources/inboxes/stats";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  liveResponse(versionOf(await stats(caller, id))),
);
