import { route } from "@/lib/api/route";
import { agentAuthOperations as agents } from "@/lib/identity/agents/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(agents.completeClaim);
