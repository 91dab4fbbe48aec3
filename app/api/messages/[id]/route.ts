import { route } from "@/lib/api/route";
import { deleteMessage, getMessage, updateMessage } from "@/lib/resources/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getMessage,
  updateMessage,
  deleteMessage,
);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
