import { route } from "@/lib/api/route";
import { upsertWebhook } from "@/lib/resources/webhooks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertWebhook);
