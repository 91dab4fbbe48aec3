import { accountRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { newestChanges } from "@/lib/changes/newest";

export const GET = accountRoute(async (caller) =>
  liveAnswer(JSON.stringify(await newestChanges(caller))),
);
