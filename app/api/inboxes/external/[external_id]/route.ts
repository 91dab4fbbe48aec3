import { route } from "@/lib/api/route";
import { inboxOperations } from "@/lib/resources/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(inboxOperations.upsert);
