import { route } from "@/lib/api/route";
import { deleteSubscription, getSubscription } from "@/lib/resources/subscriptions/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  deleteSubscription,
  getSubscription,
);
