import { route } from "@/lib/http/route";
import { dispatchMessages, dispatchMessagesByGet } from "@/lib/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  dispatchMessagesByGet,
  dispatchMessages,
);

/** Seconds: the budget, the longest attempt after it, and time to write. */
export const maxDuration = 75;
