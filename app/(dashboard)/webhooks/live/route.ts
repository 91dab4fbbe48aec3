import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { markOf } from "@/app/(dashboard)/_shared/mark";
import { readEndpoints } from "../_components/endpoints";

export const GET = accountRoute(async (caller, _, request) => {
  const { list, last } = await readEndpoints(caller, searchParamsOf(request));
  return liveResponse(markOf([list, ...last]));
});
