import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { scheduleListVersion } from "@/lib/resources/schedules/listing";

export const GET = accountRoute(async (caller, _, request) => {
  return liveResponse(await scheduleListVersion(caller, rangeOf(searchParamsOf(request))));
});
