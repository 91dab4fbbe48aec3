import { dashboardRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { stats, versionOf } from "@/lib/inboxes/stats";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  liveResponse(versionOf(await stats(caller, id))),
);
