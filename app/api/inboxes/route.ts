import { route } from "@/lib/api/route";
import { createInbox, listInboxes } from "@/lib/resources/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listInboxes, createInbox);
