import { route } from "@/lib/api/route";
import { replyToInboxEvent } from "@/lib/inboxes/replies/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(replyToInboxEvent);
