import { route } from "@/lib/api/route";
import { receiveInboxEvents } from "@/lib/resources/inboxes/events/consumer-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(receiveInboxEvents);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
