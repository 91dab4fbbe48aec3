import { downloadRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import * as events from "@/lib/inboxes/events/service";

export const GET = downloadRoute<{ id: string; eventId: string }>(
  "inbox-event.bin",
  (caller, { id, eventId }) => events.readBody(caller, id, eventId),
);
