import { route } from "@/lib/api/route";
import { webhookReplayOperations as replays } from "@/lib/resources/webhooks/replays/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(replays.get);
