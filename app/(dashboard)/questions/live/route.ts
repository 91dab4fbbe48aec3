import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import * as questions from "@/lib/resources/questions/service";

export const GET = accountRoute(async (caller, _, request) => {
  const read = (part: Parameters<typeof questions.list>[1]) => questions.list(caller, part);
  return liveResponse(versionTag(await readShown(searchParamsOf(request), read)));
});
