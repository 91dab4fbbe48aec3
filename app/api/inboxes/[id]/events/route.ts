import { route } from "@/lib/http/route";
import { ingestEvent, listInboxEvents, purgeInboxEvents } from "@/lib/inboxes/event-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  listInboxEvents,
  ingestEvent,
  purgeInboxEvents,
);
