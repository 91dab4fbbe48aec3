import { downloadRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import * as events from "@/lib/webhooks/events/service";

export const GET = downloadRoute<{ id: string; eventId: string }>(
  "webhook-event.bin",
  (caller, { id, eventId }) => events.body(caller, id, eventId),
);
