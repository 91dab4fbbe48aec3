import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import * as artifacts from "@/lib/resources/artifacts/service";
import { viewResponse } from "@/lib/resources/artifacts/view";

/** The document in the frame of an artifact's page. */
export const GET = dashboardRoute<{ id: string }>(async (caller, { id }, request) =>
  viewResponse(request, await artifacts.get(caller, id)),
);
