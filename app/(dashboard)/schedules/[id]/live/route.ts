import { dashboardRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { scheduleVersion } from "@/lib/resources/schedules/listing";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) => {
  return liveResponse(await scheduleVersion(caller, id));
});
