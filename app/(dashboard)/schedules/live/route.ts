import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { listVersion } from "@/lib/schedules/listing";

export const GET = accountRoute(async (caller, _, request) => {
  return liveAnswer(await listVersion(caller, rangeOf(searchParamsOf(request))));
});
