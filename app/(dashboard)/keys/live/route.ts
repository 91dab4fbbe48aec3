import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { readLists, versionOf } from "../_components/lists";

export const GET = accountRoute(async (caller, _, request) =>
  liveResponse(versionOf(await readLists(caller, searchParamsOf(request)))),
);
