import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { sharedLiveOverview } from "@/lib/resources/overview/live-overview";

export const GET = accountRoute(async (caller) => liveResponse(await sharedLiveOverview(caller)));
