import { route } from "@/lib/api/route";
import { createSubscription, listSubscriptions } from "@/lib/resources/subscriptions/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  createSubscription,
  listSubscriptions,
);
