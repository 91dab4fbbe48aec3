import * as z from "zod";
import { createdAt, idOf, objectType, reference, text } from "@/lib/platform/http/fields";
import type { Limit } from "@/lib/platform/limits/fixed-window";
import { changeAction, changeKind } from "@/lib/resources/changes/contract";
import { shownAdditions, targetAdditions } from "@/lib/resources/messages/push-target";
import { targetUrl } from "@/lib/resources/messages/target";

/** Per organization, for changes and MCP events together. */
export const SUBSCRIPTIONS_MAX = 100;

/** How often callbacks are asked to agree, with the property names of `/api/limits`. */
export const challengeLimits = {
  /** So that nobody floods a host with challenges. */
  callback_challenges_per_host: { limit: 60, windowSeconds: 60 },
  /** So that an organization does not use up those of others. */
  callback_challenges_per_organization_and_host: { limit: 30, windowSeconds: 60 },
} satisfies Record<string, Limit>;

const KINDS = "Only changes of these kinds of resources; null for all.";
const ACTIONS = "Only these changes; null for all.";

export const SubscriptionCreate = z
  .strictObject({
    url: targetUrl.optional().describe("The URL that each change is sent to, as a signed message."),
    inbox_id: text({ max: 100 })
      .optional()
      .describe("Or the inbox of your organization that gets each change as an event."),
    ...targetAdditions,
    kinds: z.array(changeKind).min(1).max(20).nullable().optional().describe(KINDS),
    actions: z.array(changeAction).min(1).max(40).nullable().optional().describe(ACTIONS),
  })
  .meta({
    id: "SubscriptionCreate",
    examples: [{ url: "https://example.com/hook", kinds: ["tasks"], actions: ["completed"] }],
  });
export type SubscriptionCreate = z.infer<typeof SubscriptionCreate>;

export const Subscription = z
  .object({
    id: idOf("sub"),
    object: objectType("subscription"),
    organization_id: reference("org", "The organization that owns it."),
    url: z.string().nullable().describe("The URL that gets the changes; null with `inbox_id`."),
    inbox_id: z.string().nullable().describe("The inbox that gets the changes; null with `url`."),
    ...shownAdditions,
    kinds: z.array(changeKind).nullable().describe(KINDS),
    actions: z.array(changeAction).nullable().describe(ACTIONS),
    held_reason: z
      .enum(["inbox_full", "too_many_pending", "callback_failed"])
      .nullable()
      .describe("Why changes or events are held back; null if none is."),
    event: z
      .string()
      .nullable()
      .describe("The MCP event that `url` gets; null if it gets changes."),
    expires_at: z
      .int()
      .nullable()
      .describe("When a subscription to events ends unless it is renewed; else null."),
    created_at: createdAt,
  })
  .meta({
    id: "Subscription",
    examples: [{ url: "https://example.com/hook", kinds: ["tasks"], actions: ["completed"] }],
  });
export type Subscription = z.infer<typeof Subscription>;
