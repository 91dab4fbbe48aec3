import { route } from "@/lib/api/route";
import { listWebhookEvents, purgeWebhookEvents } from "@/lib/resources/webhooks/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  listWebhookEvents,
  purgeWebhookEvents,
);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
