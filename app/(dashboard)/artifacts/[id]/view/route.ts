import { visitor } from "@/app/_shared/session";
import { dashboardResponse } from "@/app/(dashboard)/_shared/dashboard-response";
import * as artifacts from "@/lib/artifacts/service";
import { viewAnswer } from "@/lib/artifacts/view";

interface Context {
  params: Promise<{ id: string }>;
}

/** What stands in the frame of an artifact's page. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await visitor();
    return viewAnswer(request, await artifacts.get(caller, (await params).id));
  });
}
