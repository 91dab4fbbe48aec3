import { route } from "@/lib/api/route";
import { authorizeDevice } from "@/lib/identity/oauth/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(authorizeDevice);
