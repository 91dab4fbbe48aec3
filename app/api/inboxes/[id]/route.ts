import { route } from "@/lib/api/route";
import { deleteInbox, getInbox, updateInbox } from "@/lib/resources/inboxes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getInbox,
  updateInbox,
  deleteInbox,
);
