import { route } from "@/lib/http/route";
import { redriveInboxEvents } from "@/lib/inboxes/consumer-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(redriveInboxEvents);
