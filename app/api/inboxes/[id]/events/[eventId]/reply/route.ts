import { route } from "@/lib/api/route";
import { replyToInboxEvent } from "@/lib/resources/inboxes/replies/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(replyToInboxEvent);
