import { queryParam, searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { filtersOf } from "../_components/task-filters";
import { readVersion } from "../_components/task-version";

export const GET = accountRoute(async (caller, _, request) => {
  const params = searchParamsOf(request);
  return liveResponse(await readVersion(caller, filtersOf(params), queryParam(params, "open")));
});
