import { requireAccount } from "@/app/_shared/session";
import { dashboardRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { liveOverview } from "@/lib/overview/pulse";
import { loadOverview } from "@/lib/overview/service";

export const GET = dashboardRoute(async (caller) => {
  await requireAccount();
  const overview = await loadOverview(caller);
  return liveAnswer(JSON.stringify(overview && liveOverview(overview)));
});
