import * as z from "zod";
import { text } from "@/lib/platform/http/fields";
import { listQuery } from "@/lib/platform/lists/list";
import { changeAction, changeKind } from "@/lib/resources/changes/contract";
import { targetUrl } from "@/lib/resources/messages/target";

export const SUBSCRIPTIONS_MAX = 20;

export const SubscriptionCreate = z
  .strictObject({
    url: targetUrl.optional().describe("To which each change is sent as a signed message"),
    inbox_id: text({ max: 100 }).optional().describe("Or an inbox of your organization"),
    kinds: z.array(changeKind).min(1).max(20).nullable().optional().describe("Default: all"),
    actions: z.array(changeAction).min(1).max(40).nullable().optional().describe("Default: all"),
  })
  .meta({
    id: "SubscriptionCreate",
    examples: [{ url: "https://example.com/hook", kinds: ["tasks"], actions: ["completed"] }],
  });
export type SubscriptionCreate = z.infer<typeof SubscriptionCreate>;

export const Subscription = z
  .object({
    id: z.string(),
    object: z.literal("subscription"),
    organization_id: z.string(),
    url: z.string().nullable(),
    inbox_id: z.string().nullable(),
    kinds: z.array(changeKind).nullable(),
    actions: z.array(changeAction).nullable(),
    held_reason: z
      .enum(["inbox_full", "too_many_pending"])
      .nullable()
      .describe("Why changes are held back, if they are"),
    created_at: z.int(),
  })
  .meta({
    id: "Subscription",
    examples: [
      {
        id: "sub_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "subscription",
        organization_id: "org_034gLHnnT5MH2Sbz6VPrmYvR1q",
        url: "https://example.com/hook",
        inbox_id: null,
        kinds: ["tasks"],
        actions: ["completed"],
        held_reason: null,
        created_at: 1_767_225_600,
      },
    ],
  });
export type Subscription = z.infer<typeof Subscription>;

export const SubscriptionListQuery = listQuery("sub");
export type SubscriptionListQuery = z.infer<typeof SubscriptionListQuery>;
