import { route } from "@/lib/http/route";
import { createInbox, listInboxes } from "@/lib/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listInboxes, createInbox);
