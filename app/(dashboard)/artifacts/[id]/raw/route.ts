import { visitor } from "@/app/_shared/session";
import { dashboardResponse } from "@/app/(dashboard)/_shared/dashboard-response";
import { rawAnswer } from "@/lib/artifacts/raw";
import * as artifacts from "@/lib/artifacts/service";

interface Context {
  params: Promise<{ id: string }>;
}

/** The content itself: a file, or in a sandbox of its own. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await visitor();
    const artifact = await artifacts.get(caller, (await params).id);
    const download = new URL(request.url).searchParams.get("download") === "1";
    return rawAnswer(request, artifact, { public: false, download });
  });
}
