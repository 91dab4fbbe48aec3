import { route } from "@/lib/api/route";
import { inboxOperations as inboxes } from "@/lib/resources/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(inboxes.getStats);
