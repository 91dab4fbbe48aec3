import { inSearchTurn } from "@/app/_shared/search-turn";
import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import { stats, statsVersion } from "@/lib/resources/inboxes/stats";

export const GET = liveResource(async (caller, { id }) =>
  statsVersion(await inSearchTurn(caller, () => stats(caller, id))),
);
