import { route } from "@/lib/api/route";
import { getProtectedResource } from "@/lib/identity/agents/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getProtectedResource);
