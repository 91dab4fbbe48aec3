import { route } from "@/lib/api/route";
import { inboxEventOperations as inboxEvents } from "@/lib/resources/inboxes/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(inboxEvents.receive);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
