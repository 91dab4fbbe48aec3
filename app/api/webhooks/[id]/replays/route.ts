import { route } from "@/lib/api/route";
import {
  createWebhookReplay,
  listWebhookReplays,
} from "@/lib/resources/webhooks/replays/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  listWebhookReplays,
  createWebhookReplay,
);
