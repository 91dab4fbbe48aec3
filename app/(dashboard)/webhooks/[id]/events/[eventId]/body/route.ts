import { ownAnswer } from "@/app/own-route";
import { visitor } from "@/app/session";
import { Answer } from "@/lib/http/operation";
import * as events from "@/lib/webhooks/events";

interface Context {
  params: Promise<{ id: string; eventId: string }>;
}

/** The bytes of a captured body, as a file. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await visitor();
    const { id, eventId } = await params;
    return new Answer(
      200,
      {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": 'attachment; filename="webhook-event.bin"',
        "Cache-Control": "private, no-store",
      },
      new Uint8Array(await events.body(caller, id, eventId)),
    );
  });
}
