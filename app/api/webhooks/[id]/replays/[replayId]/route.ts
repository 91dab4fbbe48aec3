import { route } from "@/lib/api/route";
import { getWebhookReplay } from "@/lib/resources/webhooks/replays/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getWebhookReplay);
