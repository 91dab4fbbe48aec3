import { route } from "@/lib/api/route";
import { upsertInbox } from "@/lib/resources/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertInbox);
