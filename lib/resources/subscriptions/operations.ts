import { operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import { Subscription, SubscriptionCreate, SubscriptionListQuery } from "./contract";
import * as subscriptions from "./service";

const tag = "Changes";
const auth = "required";

export const listSubscriptions = operation({
  id: "listSubscriptions",
  method: "GET",
  path: "/api/subscriptions",
  tag,
  summary: "List subscriptions",
  auth,
  scope: "api.read",
  query: SubscriptionListQuery,
  success: { status: 200, schema: listOf(Subscription) },
  handle: ({ caller, query }) => subscriptions.list(caller, query),
});

export const createSubscription = operation({
  id: "createSubscription",
  method: "POST",
  path: "/api/subscriptions",
  tag,
  summary: "Push changes to a URL or an inbox",
  description:
    'From now on, once each, in their order: `{"type": "tasks.completed", "data": {…the change…}}`, as a signed message or as an inbox event.',
  auth,
  scope: "api.write",
  body: SubscriptionCreate,
  failures: [403, 404],
  success: { status: 200, schema: Subscription },
  handle: ({ caller, body, commit }) => subscriptions.create(caller, body, commit),
});

export const getSubscription = operation({
  id: "getSubscription",
  method: "GET",
  path: "/api/subscriptions/{id}",
  tag,
  summary: "Get a subscription",
  auth,
  scope: "api.read",
  conditional: true,
  success: { status: 200, schema: Subscription },
  handle: ({ caller, params }) => subscriptions.get(caller, params.id),
});

export const deleteSubscription = operation({
  id: "deleteSubscription",
  method: "DELETE",
  path: "/api/subscriptions/{id}",
  tag,
  summary: "Delete a subscription",
  auth,
  scope: "api.write",
  success: { status: 204 },
  handle: ({ caller, params, precondition }) =>
    subscriptions.remove(caller, params.id, precondition),
});

export const subscriptionOperations = [
  listSubscriptions,
  createSubscription,
  getSubscription,
  deleteSubscription,
];
