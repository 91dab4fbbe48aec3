import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { newestActivity } from "@/lib/resources/overview/activity";

export const GET = accountRoute(async (caller) =>
  liveResponse(JSON.stringify(await newestActivity(caller))),
);
