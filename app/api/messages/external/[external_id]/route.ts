import { route } from "@/lib/http/route";
import { upsertMessage } from "@/lib/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertMessage);
