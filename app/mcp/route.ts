import { route } from "@/lib/api/route";
import { callMcp } from "@/lib/mcp/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(callMcp);

/** Seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
