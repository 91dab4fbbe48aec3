import { agentAuthOperations as agents } from "@/lib/identity/agents/operations";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(agents.getGuide);
