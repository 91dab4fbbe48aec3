import { route } from "@/lib/api/route";
import { dispatchMessages, dispatchMessagesByGet } from "@/lib/upkeep/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  dispatchMessagesByGet,
  dispatchMessages,
);

/** In seconds: the budget, the longest attempt after it, and time to write. */
export const maxDuration = 75;
