import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { rawResponse } from "@/lib/resources/artifacts/raw";
import { getVersion } from "@/lib/resources/artifacts/versions";

/** The content of a version as a download, or alone in a sandbox. */
export const GET = dashboardRoute<{ id: string; n: string }>(async (caller, { id, n }, request) => {
  const version = await getVersion(caller, id, n);
  const download = new URL(request.url).searchParams.get("download");
  return rawResponse(request, version, { public: false, download });
});
