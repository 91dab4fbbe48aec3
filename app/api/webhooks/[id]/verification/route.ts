import { route } from "@/lib/api/route";
import {
  deleteWebhookVerification,
  getWebhookVerification,
  putWebhookVerification,
} from "@/lib/resources/webhooks/verification/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  putWebhookVerification,
  getWebhookVerification,
  deleteWebhookVerification,
);
