import { route } from "@/lib/api/route";
import { createWebhook, listWebhooks } from "@/lib/resources/webhooks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listWebhooks, createWebhook);
