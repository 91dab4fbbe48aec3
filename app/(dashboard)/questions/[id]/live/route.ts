import { dashboardRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import * as questions from "@/lib/resources/questions/service";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  liveResponse(versionTag(await questions.get(caller, id))),
);
