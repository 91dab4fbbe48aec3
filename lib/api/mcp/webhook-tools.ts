import { webhookForwardOperations as forward } from "@/lib/resources/webhooks/forward/operations";
import { webhookOperations as webhooks } from "@/lib/resources/webhooks/operations";
import { webhookVerificationOperations as verification } from "@/lib/resources/webhooks/verification/operations";
import type { Tool } from "./tool";

export const webhookTools: readonly Tool[] = [
  {
    name: "create_webhook",
    purpose: "Get a URL that captures every HTTP request sent to it.",
    variants: [{ operation: webhooks.create }],
    examples: [{ name: "Payments" }],
    echoes: true,
  },
  {
    name: "set_up_webhook",
    purpose:
      "Verify a sender's signatures (`scheme`, `secret`), or forward what was verified to `inbox_id` or `url`, only what matches. `stop` ends either.",
    variants: [
      { when: { scheme: true }, operation: verification.put },
      { when: { inbox_id: true }, operation: forward.put },
      { when: { url: true }, operation: forward.put },
      { when: { stop: "verifying" }, operation: verification.remove },
      { when: { stop: "forwarding" }, operation: forward.remove },
    ],
    words: { tolerance_seconds: "", inbox_id: "", url: "" },
    unlisted: ["claim_token"],
    examples: [
      { id: "wh_…", scheme: "github", secret: "As the sender shows it" },
      { id: "wh_…", inbox_id: "inbox_…", match: { "x-github-event": "push" } },
    ],
    hints: { destructive: true, idempotent: true, openWorld: true },
  },
];
