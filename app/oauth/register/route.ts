import { route } from "@/lib/api/route";
import { registerOAuthClient } from "@/lib/identity/oauth/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(registerOAuthClient);
