import { route } from "@/lib/api/route";
import { webhookEventOperations as webhookEvents } from "@/lib/resources/webhooks/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  webhookEvents.list,
  webhookEvents.purge,
);

/** In seconds. Exports take long; every plan of Vercel allows this. */
export const maxDuration = 300;
