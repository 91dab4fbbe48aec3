import { callMcp } from "@/lib/api/mcp/operations";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(callMcp);

/** In seconds: the longest stream of events, and time to respond. */
export const maxDuration = 300;
