import { route } from "@/lib/api/route";
import { webhookEventOperations as webhookEvents } from "@/lib/resources/webhooks/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  webhookEvents.list,
  webhookEvents.purge,
);

/** In seconds: for exports, the longest time on every plan of Vercel. */
export const maxDuration = 300;
