import { route } from "@/lib/api/route";
import { revokeAgent } from "@/lib/identity/agents/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(revokeAgent);
