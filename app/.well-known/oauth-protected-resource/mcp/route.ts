import { route } from "@/lib/api/route";
import { getMcpProtectedResource } from "@/lib/identity/agents/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getMcpProtectedResource);
