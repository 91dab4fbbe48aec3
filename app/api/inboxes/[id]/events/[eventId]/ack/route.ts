import { route } from "@/lib/api/route";
import { inboxEventOperations as inboxEvents } from "@/lib/resources/inboxes/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(inboxEvents.ack);
