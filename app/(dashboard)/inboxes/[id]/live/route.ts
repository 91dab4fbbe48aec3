import { visitor } from "@/app/_shared/session";
import { dashboardResponse, textAnswer } from "@/app/(dashboard)/_shared/dashboard-response";
import { stats } from "@/lib/inboxes/stats";
import { liveTag } from "./live-tag";

interface Context {
  params: Promise<{ id: string }>;
}

/** Tells a page whether what it shows of an inbox is still so. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await visitor();
    return textAnswer(liveTag(await stats(caller, (await params).id)));
  });
}
