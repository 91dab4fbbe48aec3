import { route } from "@/lib/api/route";
import { startAgentClaim } from "@/lib/identity/agents/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(startAgentClaim);
