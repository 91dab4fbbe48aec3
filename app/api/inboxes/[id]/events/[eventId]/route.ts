import { route } from "@/lib/http/route";
import { deleteInboxEvent, getInboxEvent } from "@/lib/inboxes/event-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getInboxEvent,
  deleteInboxEvent,
);
