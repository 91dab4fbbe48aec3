import { accountRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { liveOverview } from "@/lib/overview/pulse";
import { loadOverview } from "@/lib/overview/service";

export const GET = accountRoute(async (caller) => {
  const overview = await loadOverview(caller);
  return liveAnswer(JSON.stringify(overview && liveOverview(overview)));
});
