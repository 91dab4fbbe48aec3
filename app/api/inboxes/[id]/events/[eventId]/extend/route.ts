import { route } from "@/lib/api/route";
import { extendInboxEvent } from "@/lib/resources/inboxes/events/consumer-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(extendInboxEvent);
