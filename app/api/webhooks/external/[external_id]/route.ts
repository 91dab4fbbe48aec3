import { route } from "@/lib/api/route";
import { webhookOperations } from "@/lib/resources/webhooks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(webhookOperations.upsert);
