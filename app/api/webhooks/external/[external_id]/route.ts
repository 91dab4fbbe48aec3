import { route } from "@/lib/http/route";
import { upsertWebhook } from "@/lib/webhooks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertWebhook);
