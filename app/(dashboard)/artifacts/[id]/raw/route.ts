import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { rawResponse } from "@/lib/resources/artifacts/raw";
import * as artifacts from "@/lib/resources/artifacts/service";

/** The content as a download, or alone in a sandbox. */
export const GET = dashboardRoute<{ id: string }>(async (caller, { id }, request) => {
  const artifact = await artifacts.get(caller, id);
  const download = new URL(request.url).searchParams.get("download");
  return rawResponse(request, artifact, { public: false, download });
});
