import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import { readEndpoints } from "../_components/endpoints";

export const GET = accountRoute(async (caller, _, request) => {
  const { list, last } = await readEndpoints(caller, searchParamsOf(request));
  return liveResponse(versionTag([list, ...last]));
});
