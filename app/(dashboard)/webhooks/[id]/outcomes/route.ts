import { dashboardRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { recentOutcomes } from "@/lib/webhooks/forward/outcomes";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  jsonResponse(await recentOutcomes(caller, id)),
);
