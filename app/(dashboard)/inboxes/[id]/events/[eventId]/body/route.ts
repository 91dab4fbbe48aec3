import { visitor } from "@/app/_shared/session";
import { ownAnswer } from "@/app/(dashboard)/_shared/own-route";
import { strangersFile } from "@/app/(dashboard)/_shared/strangers-file";
import * as events from "@/lib/inboxes/events";

interface Context {
  params: Promise<{ id: string; eventId: string }>;
}

/** The bytes of an event's body, as a file. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return ownAnswer(async () => {
    const { id, eventId } = await params;
    const { caller } = await visitor();
    return strangersFile(await events.readBody(caller, id, eventId), "inbox-event.bin");
  });
}
