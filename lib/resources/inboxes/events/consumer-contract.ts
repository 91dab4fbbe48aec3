import * as z from "zod";
import { clampedInt, objectType, text } from "@/lib/platform/http/fields";
import { listOf } from "@/lib/platform/lists/list";
import { DELAY_SECONDS_MAX, LeasedEvent } from "./contract";

const BATCH_MAX = 100;
const LEASE_SECONDS_MAX = 43_200;
const WAIT_SECONDS_MAX = 20;
export const REDRIVE_MAX = 1000;

const EVENT_ID = "The ID of the event.";
const eventId = text().describe(EVENT_ID);
const leaseId = text().describe("The `lease_id` that it was received with.");

export const Ack = z
  .strictObject({ event_id: eventId, lease_id: leaseId })
  .meta({ id: "InboxAckItem" });
export type Ack = z.infer<typeof Ack>;

const acks = z.array(Ack).max(BATCH_MAX);

export const Receive = z
  .strictObject({
    limit: clampedInt(1, BATCH_MAX)
      .optional()
      .describe("How many events to receive at most. Default: 1."),
    lease_seconds: leaseSeconds()
      .optional()
      .describe("How long others do not get them, in seconds. Default: 60."),
    wait_seconds: clampedInt(0, WAIT_SECONDS_MAX)
      .optional()
      .describe("How long to wait for the first event, in seconds. Default: 0."),
    consumer: text({ min: 1, max: 200 })
      .nullable()
      .optional()
      .describe("The name of this worker, which the events show; null for none."),
    ack: acks
      .optional()
      .describe("Events to acknowledge first. The response has their outcomes as `acks`."),
  })
  .meta({ id: "InboxReceive", examples: [{ limit: 10, wait_seconds: 20 }] });
export type Receive = z.infer<typeof Receive>;

export const AckOne = z
  .strictObject({ lease_id: leaseId })
  .meta({ id: "InboxAck", examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x" }] });

const nackFields = {
  lease_id: leaseId,
  delay_seconds: z
    .int()
    .min(0)
    .max(DELAY_SECONDS_MAX)
    .optional()
    .describe("How many seconds until it can be received again. Default: 0."),
  error: text({ max: 10_000 })
    .nullable()
    .optional()
    .describe("Why it failed; kept as `last_error`."),
  dead: z
    .boolean()
    .optional()
    .describe("Whether only a redrive delivers it again. Default: false."),
};

export const NackOne = z.strictObject(nackFields).meta({
  id: "InboxNack",
  examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x", delay_seconds: 60 }],
});
export type NackOne = z.infer<typeof NackOne>;

const Nack = z.strictObject({ event_id: eventId, ...nackFields }).meta({ id: "InboxNackItem" });
export type Nack = z.infer<typeof Nack>;

export const Extend = z
  .strictObject({
    lease_id: leaseId,
    lease_seconds: leaseSeconds().describe("Seconds until the lease ends."),
  })
  .meta({
    id: "InboxExtend",
    examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x", lease_seconds: 300 }],
  });
export type Extend = z.infer<typeof Extend>;

export const RedriveAll = z
  .strictObject({
    limit: clampedInt(1, REDRIVE_MAX)
      .optional()
      .describe("How many events to redrive at most. Default: all."),
  })
  .meta({ id: "InboxRedrive", examples: [{ limit: 100 }] });

export const Redriven = z
  .object({
    object: objectType("inbox_redrive_result"),
    redriven: z.int().describe("How many events are ready again."),
    remaining: z.int().describe("How many events are still dead."),
  })
  .meta({ id: "InboxRedriven", examples: [{ redriven: 3 }] });
export type Redriven = z.infer<typeof Redriven>;

export const Settle = z
  .strictObject({
    acks: acks.optional().describe("Events that are done, and are deleted."),
    nacks: z
      .array(Nack)
      .max(BATCH_MAX)
      .optional()
      .describe("Events that are to be delivered again, or are dead."),
  })
  .meta({
    id: "InboxSettle",
    examples: [
      {
        acks: [
          {
            event_id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
            lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
          },
        ],
      },
    ],
  });
export type Settle = z.infer<typeof Settle>;

const OUTCOME = "`lease_lost`: it is no longer yours. `not_found`: it is gone.";

export const AckOutcome = z
  .object({
    event_id: z.string().describe(EVENT_ID),
    outcome: z.enum(["acknowledged", "lease_lost", "not_found"]).describe(OUTCOME),
  })
  .meta({ id: "InboxAckOutcome" });
export type AckOutcome = z.infer<typeof AckOutcome>;

const NackOutcome = z
  .object({
    event_id: z.string().describe(EVENT_ID),
    outcome: z.enum(["released", "dead", "lease_lost", "not_found"]).describe(OUTCOME),
  })
  .meta({ id: "InboxNackOutcome" });
export type NackOutcome = z.infer<typeof NackOutcome>;

export const Settled = z
  .object({
    object: objectType("inbox_ack_result"),
    acks: z.array(AckOutcome).describe("The outcomes of `acks`, in their order."),
    nacks: z.array(NackOutcome).describe("The outcomes of `nacks`, in their order."),
  })
  .meta({
    id: "InboxSettled",
    examples: [
      {
        acks: [{ event_id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q", outcome: "acknowledged" }],
        nacks: [],
      },
    ],
  });
export type Settled = z.infer<typeof Settled>;

export const Received = listOf(LeasedEvent)
  .extend({
    acks: z.array(AckOutcome).optional().describe("The outcomes of `ack`, in its order."),
  })
  .meta({ id: "InboxReceived" });

function leaseSeconds() {
  return z.int().min(1).max(LEASE_SECONDS_MAX);
}
