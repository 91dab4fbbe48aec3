import { searchParamsOf } from "@/app/_shared/query";
import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { messageListVersion } from "@/lib/resources/messages/listing";
import { conditionsOf, preservedParams } from "../_components/message-list";

export const GET = accountRoute(async (caller, _, request) => {
  const params = searchParamsOf(request);
  const conditions = conditionsOf(preservedParams(params).state);
  return liveResponse(await messageListVersion(caller, { ...conditions, ...rangeOf(params) }));
});
