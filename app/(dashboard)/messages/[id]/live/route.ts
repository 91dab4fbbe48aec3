import { visitor } from "@/app/_shared/session";
import { dashboardResponse, textAnswer } from "@/app/(dashboard)/_shared/dashboard-response";
import * as messages from "@/lib/messages/service";
import { liveTag } from "./live-tag";

interface Context {
  params: Promise<{ id: string }>;
}

/** Tells a page whether what it shows of a message is still so. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await visitor();
    return textAnswer(liveTag(await messages.get(caller, (await params).id)));
  });
}
