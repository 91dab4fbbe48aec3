import { route } from "@/lib/api/route";
import { inboxReplyOperations as replies } from "@/lib/resources/inboxes/replies/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(replies.read);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
