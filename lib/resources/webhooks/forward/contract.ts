import * as z from "zod";
import { provingToken, survivesClaim, text } from "@/lib/platform/http/fields";
import { targetUrl } from "@/lib/resources/messages/target";
import { matchConditions } from "./match";

const capturedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export const WebhookForwardPut = z
  .strictObject({
    inbox_id: text({ max: 100 }).optional().describe("An inbox with the endpoint's owner"),
    url: targetUrl.optional().describe("Or a URL, to which each event is sent as a message"),
    methods: z
      .array(z.enum(capturedMethods))
      .min(1)
      .max(capturedMethods.length)
      .nullable()
      .optional()
      .describe("Only events with one of these methods"),
    match: matchConditions
      .nullable()
      .optional()
      .describe("Only events with these values, by header name or JSON path (`$.action`)"),
    claim_token: provingToken,
  })
  .meta({
    id: "WebhookForwardPut",
    examples: [
      {
        inbox_id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
        methods: ["POST"],
        match: { "x-github-event": "issues", "$.action": "opened" },
      },
    ],
  });
export type WebhookForwardPut = z.infer<typeof WebhookForwardPut>;

export const WebhookForward = z
  .object({
    object: z.literal("webhook_forward"),
    endpoint_id: z.string(),
    organization_id: z.string().nullable(),
    inbox_id: z.string().nullable(),
    url: z.string().nullable(),
    methods: z.array(z.enum(capturedMethods)).nullable(),
    match: z.record(z.string(), z.unknown()).nullable(),
    held_count: z.int().describe("Events that wait to be forwarded"),
    held_reason: z
      .enum(["queued", "inbox_full", "other_owner", "too_many_pending"])
      .nullable()
      .describe("null when no event waits"),
    survives_claim: survivesClaim,
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({
    id: "WebhookForward",
    examples: [
      {
        object: "webhook_forward",
        endpoint_id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        organization_id: null,
        inbox_id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
        url: null,
        methods: ["POST"],
        match: null,
        held_count: 0,
        held_reason: null,
        survives_claim: true,
        created_at: 1_767_225_600,
        updated_at: 1_767_225_600,
      },
    ],
  });
export type WebhookForward = z.infer<typeof WebhookForward>;
