import { route } from "@/lib/api/route";
import { deleteInboxEvent, getInboxEvent } from "@/lib/resources/inboxes/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getInboxEvent,
  deleteInboxEvent,
);
