import { route } from "@/lib/api/route";
import { deleteWebhook, getWebhook, updateWebhook } from "@/lib/resources/webhooks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getWebhook,
  updateWebhook,
  deleteWebhook,
);
