import { route } from "@/lib/api/route";
import { subscriptionOperations as subscriptions } from "@/lib/resources/subscriptions/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  subscriptions.remove,
  subscriptions.get,
);
