import { route } from "@/lib/http/route";
import { upsertInbox } from "@/lib/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertInbox);
