import { dashboardRoute, liveAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { stats, versionOf } from "@/lib/inboxes/stats";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  liveAnswer(versionOf(await stats(caller, id))),
);
