import * as z from "zod";
import {
  createdAt,
  objectType,
  organizationId,
  provingToken,
  reference,
  survivesClaim,
  text,
  updatedAt,
} from "@/lib/platform/http/fields";
import { InboxCreate } from "@/lib/resources/inboxes/contract";
import { shownAdditions, targetAdditions } from "@/lib/resources/messages/push-target";
import { targetUrl } from "@/lib/resources/messages/target";
import { matchConditions, matchValue } from "./match";

const capturedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const METHODS = "Only events with one of these HTTP methods; null for all.";
const MATCH =
  "Only events with all of these values. A name is a header's, or a JSON path such as `$.action`; null for all.";

export const WebhookForwardPut = z
  .strictObject({
    inbox_id: text({ max: 100 })
      .optional()
      .describe("The inbox that gets each event. It must have the endpoint's owner."),
    url: targetUrl.optional().describe("Or the URL that each event is sent to, as a message."),
    ...targetAdditions,
    methods: z
      .array(z.enum(capturedMethods))
      .min(1)
      .max(capturedMethods.length)
      .nullable()
      .optional()
      .describe(METHODS),
    match: matchConditions.nullable().optional().describe(MATCH),
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

/** What the form sends to forward to an inbox that it names. */
export const WebhookForwardToNew = WebhookForwardPut.pick({ methods: true, match: true }).extend(
  InboxCreate.pick({ name: true }).shape,
);

export const WebhookForward = z
  .object({
    object: objectType("webhook_forward"),
    endpoint_id: reference("wh", "The endpoint whose events it forwards."),
    organization_id: organizationId,
    inbox_id: z.string().nullable().describe("The inbox that gets the events; null with `url`."),
    url: z.string().nullable().describe("The URL that gets the events; null with `inbox_id`."),
    ...shownAdditions,
    methods: z.array(z.enum(capturedMethods)).nullable().describe(METHODS),
    match: z.record(z.string(), matchValue).nullable().describe(MATCH),
    held_count: z.int().describe("How many events wait to be forwarded."),
    held_reason: z
      .enum(["queued", "inbox_full", "other_owner", "too_many_pending"])
      .nullable()
      .describe("Why events wait; null if none does."),
    survives_claim: survivesClaim,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({
    id: "WebhookForward",
    examples: [
      { inbox_id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q", methods: ["POST"], survives_claim: true },
    ],
  });
export type WebhookForward = z.infer<typeof WebhookForward>;
