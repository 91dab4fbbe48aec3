import { route } from "@/lib/api/route";
import { upsertInbox } from "@/lib/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertInbox);
