import { route } from "@/lib/api/route";
import {
  deleteWebhookForward,
  getWebhookForward,
  putWebhookForward,
} from "@/lib/resources/webhooks/forward/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  putWebhookForward,
  getWebhookForward,
  deleteWebhookForward,
);
