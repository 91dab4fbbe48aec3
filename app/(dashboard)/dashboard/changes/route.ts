import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { newestChanges } from "@/lib/resources/changes/newest";

export const GET = accountRoute(async (caller) =>
  liveResponse(JSON.stringify(await newestChanges(caller))),
);
