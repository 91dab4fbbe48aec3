import { route } from "@/lib/api/route";
import { revokeMyKey } from "@/lib/identity/me/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(revokeMyKey);
