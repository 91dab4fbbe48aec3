import { route } from "@/lib/api/route";
import { webhookEventOperations as webhookEvents } from "@/lib/resources/webhooks/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(webhookEvents.getRaw);
