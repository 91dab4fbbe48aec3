import { listWebhookEvents } from "@/lib/resources/webhooks/events/operations";
import {
  deleteWebhookForward,
  putWebhookForward,
} from "@/lib/resources/webhooks/forward/operations";
import { createWebhook } from "@/lib/resources/webhooks/operations";
import {
  deleteWebhookVerification,
  putWebhookVerification,
} from "@/lib/resources/webhooks/verification/operations";
import { REST_OF_EVENT, type Tool } from "./tool";

const WEBHOOK = "wh_034gLHnnT5MH2Sbz6VPrmYvR1q";

const ofWebhook = { ids: { id: "endpoint_id" } };

export const webhookTools: readonly Tool[] = [
  {
    name: "create_webhook",
    purpose: "Get a URL that captures every HTTP request sent to it.",
    operation: createWebhook,
    example: { name: "Payments" },
    echoes: true,
  },
  {
    name: "set_up_webhook",
    purpose:
      "`verify` the sender's signatures with its secret, or `forward` verified requests to an inbox or a URL, only those that `match`.",
    operation: putWebhookVerification,
    ...ofWebhook,
    choice: {
      argument: "action",
      own: "verify",
      others: {
        forward: { operation: putWebhookForward, ...ofWebhook },
        stop_verifying: { operation: deleteWebhookVerification, ...ofWebhook },
        stop_forwarding: { operation: deleteWebhookForward, ...ofWebhook },
      },
    },
    example: { endpoint_id: WEBHOOK, action: "verify", scheme: "github", secret: "A secret" },
    hints: { destructive: true, idempotent: true, openWorld: true },
  },
  {
    name: "wait_for_webhook",
    purpose:
      "Wait for requests captured after `since`, oldest first; continue with the ID of the last one. `wait: 0` only looks.",
    operation: listWebhookEvents,
    ids: { id: "endpoint_id" },
    defaults: { since: "wev_0", wait: 20 },
    example: { endpoint_id: WEBHOOK, since: "wev_0", wait: 20 },
    waits: "wait",
    untrusted: "The method, path, headers, query and body of each event",
    rest: `${REST_OF_EVENT} \`since\` with the last event's ID returns the next ones.`,
    hints: { openWorld: true },
  },
];
