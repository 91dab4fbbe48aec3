import { operation } from "@/lib/platform/http/operation";
import { listOf, listQuery } from "@/lib/platform/lists/list";
import { TARGET_ERRORS } from "@/lib/resources/messages/target";
import { Subscription, SubscriptionCreate } from "./contract";
import * as subscriptions from "./service";

const auth = "required";

export const subscriptionOperations = {
  list: operation("GET /api/subscriptions", {
    id: "listSubscriptions",
    summary: "List subscriptions",
    query: listQuery("sub"),
    success: { status: 200, schema: listOf(Subscription) },
    handle: ({ caller, query }) => subscriptions.list(caller, query),
  }),
  create: operation("POST /api/subscriptions", {
    id: "createSubscription",
    summary: "Push changes to a URL or an inbox",
    description:
      'From now on, each change is pushed as `{"type": "tasks.completed", "data": {…the change…}}`: to an inbox once and in order, to a URL as a signed message, which may arrive twice or out of order.',
    auth,
    body: SubscriptionCreate,
    errors: TARGET_ERRORS,
    failures: [403, 404],
    success: { status: 200, schema: Subscription, location: "/api/subscriptions" },
    handle: ({ caller, body, commit }) => subscriptions.create(caller, body, commit),
  }),
  get: operation("GET /api/subscriptions/{id}", {
    id: "getSubscription",
    summary: "Get a subscription",
    auth,
    conditional: true,
    success: { status: 200, schema: Subscription },
    handle: ({ caller, params }) => subscriptions.get(caller, params.id),
  }),
  remove: operation("DELETE /api/subscriptions/{id}", {
    id: "deleteSubscription",
    summary: "Delete a subscription",
    auth,
    success: { status: 204 },
    handle: ({ caller, params, precondition }) =>
      subscriptions.remove(caller, params.id, precondition),
  }),
};
