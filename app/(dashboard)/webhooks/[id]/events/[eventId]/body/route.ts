import { refusal } from "@/app/refusal";
import { visitor } from "@/app/session";
import * as events from "@/lib/webhooks/events";

/** The bytes of a body, as a file: strangers wrote them, so no browser may show or run them here. */
export async function GET(
  _: Request,
  { params }: { params: Promise<{ id: string; eventId: string }> },
): Promise<Response> {
  try {
    const { id, eventId } = await params;
    const { caller } = await visitor();
    return new Response(new Uint8Array(await events.body(caller, id, eventId)), {
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": 'attachment; filename="webhook-event.bin"',
        "Content-Security-Policy": "sandbox",
        "Cache-Control": "private, no-store",
      },
    });
  } catch (error) {
    return refusal(error);
  }
}
