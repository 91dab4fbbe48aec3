import { route } from "@/lib/api/route";
import { streamWebhookEvents } from "@/lib/resources/webhooks/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(streamWebhookEvents);

/** In seconds. Streams end sooner. */
export const maxDuration = 300;
