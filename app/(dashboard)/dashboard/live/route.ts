import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { sharedLiveOverview } from "@/lib/resources/overview/live-overview";
import { rangeOf } from "@/lib/resources/overview/trends";
import { drawn } from "../draw-trends";

export const GET = accountRoute(async (caller, _, request) => {
  const range = rangeOf(new URL(request.url).searchParams.get("range"));
  const live = await sharedLiveOverview(caller, range);
  return liveResponse(JSON.stringify(live && drawn(live)));
});
