import { visitor } from "@/app/_shared/session";
import { dashboardResponse } from "@/app/(dashboard)/_shared/dashboard-response";
import { snapshotOf } from "@/app/(dashboard)/_shared/message-state";
import { Answer } from "@/lib/http/answer";
import * as messages from "@/lib/messages/service";

interface Context {
  params: Promise<{ id: string }>;
}

/** How a message is, without what it carries: for a page that follows it beside something else. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await visitor();
    const now = snapshotOf(await messages.get(caller, (await params).id));
    return new Answer(
      200,
      { "Content-Type": "application/json", "Cache-Control": "no-store" },
      JSON.stringify(now),
    );
  });
}
