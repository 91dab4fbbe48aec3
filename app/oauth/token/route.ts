import { route } from "@/lib/api/route";
import { oauthOperations as oauth } from "@/lib/identity/oauth/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(oauth.exchangeToken);
