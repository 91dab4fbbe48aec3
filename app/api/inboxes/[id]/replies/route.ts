import { route } from "@/lib/api/route";
import { listInboxReplies } from "@/lib/resources/inboxes/replies/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listInboxReplies);
