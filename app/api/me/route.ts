import { route } from "@/lib/api/route";
import { meOperations as me } from "@/lib/identity/me/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(me.get);
