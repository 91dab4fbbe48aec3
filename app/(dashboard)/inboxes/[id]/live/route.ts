import { inSearchTurn } from "@/app/_shared/search-turn";
import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import * as inboxes from "@/lib/resources/inboxes/service";
import { inboxVersion, stats } from "@/lib/resources/inboxes/stats";

export const GET = liveResource(async (caller, { id }) =>
  inboxVersion(await inboxes.get(caller, id), await inSearchTurn(caller, () => stats(caller, id))),
);
