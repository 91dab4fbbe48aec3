import { visitor } from "@/app/_shared/session";
import { nowOf } from "@/app/(dashboard)/_shared/message-state";
import { ownAnswer } from "@/app/(dashboard)/_shared/own-route";
import { Answer } from "@/lib/http/operation";
import * as messages from "@/lib/messages/service";

interface Context {
  params: Promise<{ id: string }>;
}

/** How a message is, without what it carries: for a page that follows it beside something else. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await visitor();
    const now = nowOf(await messages.get(caller, (await params).id));
    return new Answer(
      200,
      { "Content-Type": "application/json", "Cache-Control": "no-store" },
      JSON.stringify(now),
    );
  });
}
