import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { inboxListVersion } from "@/lib/resources/inboxes/depths";

export const GET = accountRoute(async (caller, _, request) => {
  return liveResponse(await inboxListVersion(caller, rangeOf(searchParamsOf(request))));
});
