import { dashboardRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { recentOutcomes } from "@/lib/resources/webhooks/forward/outcomes";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  jsonResponse(await recentOutcomes(caller, id)),
);
