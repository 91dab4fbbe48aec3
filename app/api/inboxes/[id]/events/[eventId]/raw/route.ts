import { route } from "@/lib/api/route";
import { getInboxEventRaw } from "@/lib/resources/inboxes/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getInboxEventRaw);
