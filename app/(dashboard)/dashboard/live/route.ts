import { queryParam } from "@/app/_shared/query";
import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { sharedLiveOverview } from "@/lib/resources/overview/service";
import { rangeOf } from "@/lib/resources/overview/trends";
import { drawn } from "../draw-trends";

export const GET = livePage(async (caller, query) => {
  const live = await sharedLiveOverview(caller, rangeOf(queryParam(query, "range")));
  return JSON.stringify(live && drawn(live));
});
