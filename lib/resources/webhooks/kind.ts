import type { KindDescription } from "@/lib/resources/kind";

export const webhookKind = {
  name: "webhooks",
  title: "Webhooks",
  noun: "webhook endpoint",
  description: "Capture URLs and the requests they received.",
  icon: "M8 1.8v7.4M5 6.4l3 3 3-3M2 10v3.2h12V10",
  prefix: "wh",
  model: "WebhookEndpoint",
  table: "webhook_endpoints",
  madeFor: [],
  parts: [
    {
      model: "WebhookEvent",
      table: "webhook_events",
      parent: "endpoint_id",
      key: "id",
      prefix: "wev",
      large: true,
    },
  ],
  state: {
    model: "EndpointState",
    table: "endpoint_state",
    parent: "endpoint_id",
    count: "event_count",
    goneUpTo: "gone_up_to",
  },
  volatile: ["event_count", "held_reason", "held_count", "previous_secret_expires_at"],
  addressed: ["url"],
  onSingleReads: ["event_count"],
  first: {
    title: "Capture requests",
    text: "A URL that stores every request sent to it, byte for byte.",
    button: "Create this endpoint",
    body: { name: "Payments" },
  },
} as const satisfies KindDescription;

/** Normalizes an ID, since `whe_X` is an alias of `wh_X`. */
export function endpointId(given: string): string {
  return given.startsWith("whe_") ? `wh_${given.slice(4)}` : given;
}
