import { visitor } from "@/app/_shared/session";
import { dashboardResponse } from "@/app/(dashboard)/_shared/dashboard-response";
import { untrustedDownload } from "@/app/(dashboard)/_shared/untrusted-download";
import * as events from "@/lib/inboxes/events/service";

interface Context {
  params: Promise<{ id: string; eventId: string }>;
}

/** The bytes of an event's body, as a file. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { id, eventId } = await params;
    const { caller } = await visitor();
    return untrustedDownload(await events.readBody(caller, id, eventId), "inbox-event.bin");
  });
}
