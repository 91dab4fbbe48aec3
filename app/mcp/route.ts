import { callMcp } from "@/lib/api/mcp/operations";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(callMcp);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
