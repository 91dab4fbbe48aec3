import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { markOf } from "@/app/(dashboard)/_shared/mark";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import * as artifacts from "@/lib/resources/artifacts/service";

export const GET = accountRoute(async (caller, _, request) => {
  const read = (part: Parameters<typeof artifacts.list>[1]) => artifacts.list(caller, part);
  return liveResponse(markOf(await readShown(searchParamsOf(request), read)));
});
