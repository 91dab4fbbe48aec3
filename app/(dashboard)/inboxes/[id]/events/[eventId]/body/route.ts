import { refusal } from "@/app/refusal";
import { visitor } from "@/app/session";
import { strangersFile } from "@/app/strangers-file";
import * as events from "@/lib/inboxes/events";

/** The bytes of an event, as a file. */
export async function GET(
  _: Request,
  { params }: { params: Promise<{ id: string; eventId: string }> },
): Promise<Response> {
  try {
    const { id, eventId } = await params;
    const { caller } = await visitor();
    return strangersFile(await events.readBody(caller, id, eventId), "inbox-event.bin");
  } catch (error) {
    return refusal(error);
  }
}
