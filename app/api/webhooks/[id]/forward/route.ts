import { route } from "@/lib/api/route";
import { webhookForwardOperations as forward } from "@/lib/resources/webhooks/forward/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  forward.put,
  forward.get,
  forward.remove,
);
