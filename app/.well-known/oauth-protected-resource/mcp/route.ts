import { getMcpProtectedResource } from "@/lib/agent-auth/operations";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getMcpProtectedResource);
