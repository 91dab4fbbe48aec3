import { requireAccount } from "@/app/_shared/session";
import { dashboardRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { pulseOf } from "@/lib/overview/pulse";
import { overviewOf } from "@/lib/overview/service";

export const GET = dashboardRoute(async (caller) => {
  await requireAccount();
  const overview = await overviewOf(caller);
  return liveAnswer(JSON.stringify(overview && pulseOf(overview)));
});
