import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { getVersion } from "@/lib/resources/artifacts/versions";
import { viewResponse } from "@/lib/resources/artifacts/view";

/** The document in the frame of a version's page. */
export const GET = dashboardRoute<{ id: string; n: string }>(async (caller, { id, n }, request) =>
  viewResponse(request, await getVersion(caller, id, n)),
);
