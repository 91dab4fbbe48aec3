import { searchParamsOf } from "@/app/_shared/query";
import { requireAccount } from "@/app/_shared/session";
import { dashboardRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { listVersion } from "@/lib/inboxes/depths";

export const GET = dashboardRoute(async (caller, _, request) => {
  await requireAccount();
  return liveAnswer(await listVersion(caller, rangeOf(searchParamsOf(request))));
});
