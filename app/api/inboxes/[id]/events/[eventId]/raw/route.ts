import { route } from "@/lib/http/route";
import { getInboxEventRaw } from "@/lib/inboxes/event-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getInboxEventRaw);
