import { route } from "@/lib/api/route";
import { exchangeToken } from "@/lib/oauth/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(exchangeToken);
