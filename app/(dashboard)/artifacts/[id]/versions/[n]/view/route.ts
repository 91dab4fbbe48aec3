import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { getVersion } from "@/lib/artifacts/versions";
import { viewAnswer } from "@/lib/artifacts/view";

/** The document in the frame of a version's page. */
export const GET = dashboardRoute<{ id: string; n: string }>(async (caller, { id, n }, request) =>
  viewAnswer(request, await getVersion(caller, id, n)),
);
