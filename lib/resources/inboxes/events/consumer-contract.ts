import * as z from "zod";
import { withAliases } from "@/lib/platform/http/aliases";
import { clampedInt, text } from "@/lib/platform/http/fields";
import { listOf } from "@/lib/platform/lists/list";
import { DELAY_SECONDS_MAX, LeasedEvent } from "./contract";

const BATCH_MAX = 100;
const LEASE_SECONDS_MAX = 43_200;
const WAIT_SECONDS_MAX = 20;
export const REDRIVE_MAX = 1000;

export const Ack = z
  .strictObject({ event_id: text(), lease_id: text() })
  .meta({ id: "InboxAckItem" });
export type Ack = z.infer<typeof Ack>;

const acks = z.array(Ack).max(BATCH_MAX);

const receive = z
  .strictObject({
    limit: clampedInt(1, BATCH_MAX).optional().describe("Maximum number of events; default 1"),
    lease_seconds: leaseSeconds().optional().describe("Duration of the lease; default 60"),
    wait_seconds: clampedInt(0, WAIT_SECONDS_MAX)
      .optional()
      .describe("How long to wait for the first one; default 0"),
    consumer: text({ min: 1, max: 200 }).nullable().optional(),
    ack: acks.optional().describe("Acknowledged first; see `acks` in the response"),
  })
  .meta({ id: "InboxReceive", examples: [{ limit: 10, wait_seconds: 20 }] });
export const Receive = withAliases(receive, {
  wait: "wait_seconds",
  holder: "consumer",
  acks: "ack",
});
export type Receive = z.infer<typeof Receive>;

export const AckOne = z
  .strictObject({ lease_id: text() })
  .meta({ id: "InboxAck", examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x" }] });

const nackFields = {
  lease_id: text(),
  delay_seconds: z
    .int()
    .min(0)
    .max(DELAY_SECONDS_MAX)
    .optional()
    .describe("Delay before redelivery; default 0"),
  error: text({ max: 10_000 }).nullable().optional().describe("Kept as `last_error`"),
  dead: z.boolean().optional().describe("true: not redelivered until it is redriven"),
};

export const NackOne = z.strictObject(nackFields).meta({
  id: "InboxNack",
  examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x", delay_seconds: 60 }],
});
export type NackOne = z.infer<typeof NackOne>;

const Nack = z.strictObject({ event_id: text(), ...nackFields });
export type Nack = z.infer<typeof Nack>;

export const Extend = z
  .strictObject({
    lease_id: text(),
    lease_seconds: leaseSeconds().describe("New duration of the lease, from now"),
  })
  .meta({
    id: "InboxExtend",
    examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x", lease_seconds: 300 }],
  });
export type Extend = z.infer<typeof Extend>;

export const RedriveAll = z
  .strictObject({
    limit: clampedInt(1, REDRIVE_MAX).optional().describe("Maximum number of events; default all"),
  })
  .meta({ id: "InboxRedrive", examples: [{ limit: 100 }] });
export type RedriveAll = z.infer<typeof RedriveAll>;

export const Redriven = z
  .object({
    object: z.literal("inbox_redrive_result"),
    redriven: z.int(),
    remaining: z.int().describe("Dead events left"),
  })
  .meta({
    id: "InboxRedriven",
    examples: [{ object: "inbox_redrive_result", redriven: 3, remaining: 0 }],
  });
export type Redriven = z.infer<typeof Redriven>;

export const Settle = withAliases(
  z
    .strictObject({
      acks: acks.optional(),
      nacks: z.array(Nack).max(BATCH_MAX).optional(),
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
    }),
  { ack: "acks", nack: "nacks" },
);
export type Settle = z.infer<typeof Settle>;

export const AckOutcome = z
  .object({
    event_id: z.string(),
    outcome: z.enum(["acknowledged", "lease_lost", "not_found"]),
  })
  .meta({ id: "InboxAckOutcome" });
export type AckOutcome = z.infer<typeof AckOutcome>;

const NackOutcome = z.object({
  event_id: z.string(),
  outcome: z.enum(["released", "dead", "lease_lost", "not_found"]),
});
export type NackOutcome = z.infer<typeof NackOutcome>;

export const Settled = z
  .object({
    object: z.literal("inbox_ack_result"),
    acks: z.array(AckOutcome),
    nacks: z.array(NackOutcome),
  })
  .meta({
    id: "InboxSettled",
    examples: [
      {
        object: "inbox_ack_result",
        acks: [{ event_id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q", outcome: "acknowledged" }],
        nacks: [],
      },
    ],
  });
export type Settled = z.infer<typeof Settled>;

export const Received = listOf(LeasedEvent)
  .extend({
    acks: z.array(AckOutcome).optional().describe("In the order of `ack`"),
  })
  .meta({ id: "InboxReceived" });
export type Received = z.infer<typeof Received>;

function leaseSeconds() {
  return z.int().min(1).max(LEASE_SECONDS_MAX);
}
