import { searchParamsOf } from "@/app/_shared/query";
import { requireAccount } from "@/app/_shared/session";
import { dashboardRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { listVersion } from "@/lib/messages/listing";
import { preservedParams } from "../_components/message-list";

export const GET = dashboardRoute(async (caller, _, request) => {
  await requireAccount();
  const params = searchParamsOf(request);
  return liveAnswer(await listVersion(caller, { ...preservedParams(params), ...rangeOf(params) }));
});
