import { route } from "@/lib/api/route";
import { getWebhookEventRaw } from "@/lib/resources/webhooks/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getWebhookEventRaw);
