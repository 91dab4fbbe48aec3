import { agentFileOperations as agentFiles } from "@/lib/api/agent-files";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(agentFiles.getSecurityText);
