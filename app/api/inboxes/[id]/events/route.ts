import { route } from "@/lib/api/route";
import {
  ingestEvent,
  listInboxEvents,
  purgeInboxEvents,
} from "@/lib/resources/inboxes/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  listInboxEvents,
  ingestEvent,
  purgeInboxEvents,
);
