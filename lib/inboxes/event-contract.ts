import { z } from "zod";
import { withAliases } from "@/lib/http/aliases";
import { clampedInt, text } from "@/lib/http/fields";
import { listOf, listQuery } from "@/lib/http/list";
import { TTL_SECONDS_MAX, TTL_SECONDS_MIN } from "./contract";

const BATCH_MAX = 100;
const DELAY_SECONDS_MAX = 43_200;
const LEASE_SECONDS_MAX = 43_200;
const WAIT_SECONDS_MAX = 20;
export const REDRIVE_MAX = 1000;

export const eventStates = ["ready", "delayed", "leased", "dead"] as const;
export type EventState = (typeof eventStates)[number];

const eventId = z.string().describe("Begins with iev_");
const receivedAt = z.int().describe("Unix seconds");
const expiresAt = z.int().describe("Unix seconds; from then on the event is gone");

export const InboxEvent = z.object({
  id: eventId,
  object: z.literal("inbox_event"),
  inbox_id: z.string(),
  organization_id: z.string().nullable().describe("null means public"),
  state: z.enum(eventStates),
  content_type: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  body_encoding: z.enum(["utf8", "base64"]).nullable().describe("null when there is no body"),
  parsed_body: z.unknown().describe("The body's value when it is JSON, else null"),
  query_params: z.record(z.string(), z.string()),
  source_ip: z.string().nullable(),
  size_bytes: z.int(),
  dedup_id: z.string().nullable(),
  delivery_count: z.int(),
  consumer: z.string().nullable().describe("Who received it last, by its own word"),
  leased_until: z.int().nullable().describe("Unix seconds; null unless it is leased"),
  last_error: z.string().nullable().describe("What the last nack said"),
  visible_at: z.int().nullable().describe("Unix seconds; null when it is dead"),
  received_at: receivedAt,
  expires_at: expiresAt,
});
export type InboxEvent = z.infer<typeof InboxEvent>;

const leaseId = z.string().describe("Proves that this delivery is yours. Begins with lse_");

export const LeasedEvent = InboxEvent.extend({ lease_id: leaseId });
export type LeasedEvent = z.infer<typeof LeasedEvent>;

export const Receipt = z.object({
  object: z.literal("inbox_event"),
  id: eventId,
  inbox_id: z.string(),
  state: z.enum(eventStates),
  received_at: receivedAt,
  expires_at: expiresAt,
  deduplicated: z.boolean().describe("It was here already and is still pending: nothing was added"),
  received: z.literal(true),
  event_id: eventId,
});
export type Receipt = z.infer<typeof Receipt>;

export const EventListQuery = withAliases(
  listQuery("iev").extend({ state: z.enum(eventStates).optional() }),
  { status: "state" },
);
export type EventListQuery = z.infer<typeof EventListQuery>;

export const PurgeQuery = withAliases(
  z.object({
    state: z.enum(eventStates).optional().describe("Removes the events in this state only"),
  }),
  { status: "state" },
);

export const IngestQuery = z.object({
  ttl_seconds: seconds(TTL_SECONDS_MIN, TTL_SECONDS_MAX)
    .optional()
    .describe("How long the event lives"),
  delay_seconds: seconds(0, DELAY_SECONDS_MAX)
    .optional()
    .describe("For how long nobody receives it"),
  dedup_id: text({ min: 1, max: 255 })
    .optional()
    .describe("While an event with this ID is pending, the same again adds nothing."),
});

export const IngestHeaders = z.object({
  "Inbox-TTL-Seconds": seconds(TTL_SECONDS_MIN, TTL_SECONDS_MAX).optional(),
});

const Ack = z.strictObject({ event_id: text(), lease_id: text() });
export type Ack = z.infer<typeof Ack>;

const acks = z.array(Ack).max(BATCH_MAX);

const receive = z.strictObject({
  limit: clampedInt(1, BATCH_MAX)
    .optional()
    .describe("How many events at most; 1. A number outside the bounds counts as the nearest."),
  lease_seconds: leaseSeconds().optional().describe("How long they are yours; 60"),
  wait_seconds: clampedInt(0, WAIT_SECONDS_MAX)
    .optional()
    .describe(
      "How long to wait for the first one when there is none; 0. A longer wait counts as the longest.",
    ),
  consumer: text({ min: 1, max: 200 }).nullable().optional().describe("Your name, for others"),
  ack: acks
    .optional()
    .describe("Deliveries to acknowledge first, which saves a call; see `acks` in the answer."),
});
export const Receive = withAliases(receive, {
  wait: "wait_seconds",
  holder: "consumer",
  acks: "ack",
});
export type Receive = z.infer<typeof Receive>;

export const AckOne = z.strictObject({ lease_id: text() });

const nackFields = {
  lease_id: text(),
  delay_seconds: z
    .int()
    .min(0)
    .max(DELAY_SECONDS_MAX)
    .optional()
    .describe("For how long nobody receives it; 0"),
  error: text({ max: 10_000 }).nullable().optional().describe("Kept as `last_error`"),
  dead: z
    .boolean()
    .optional()
    .describe("true: nobody receives it again, as after its last delivery; redrive brings it back"),
};

export const NackOne = z.strictObject(nackFields);
export type NackOne = z.infer<typeof NackOne>;

const Nack = z.strictObject({ event_id: text(), ...nackFields });
export type Nack = z.infer<typeof Nack>;

export const Extend = z.strictObject({
  lease_id: text(),
  lease_seconds: leaseSeconds().describe("How long it is yours from now on"),
});
export type Extend = z.infer<typeof Extend>;

export const RedriveAll = z.strictObject({
  limit: clampedInt(1, REDRIVE_MAX).optional().describe(`How many events at most; ${REDRIVE_MAX}`),
});
export type RedriveAll = z.infer<typeof RedriveAll>;

export const Redriven = z.object({
  object: z.literal("inbox_redrive_result"),
  redriven: z.int(),
  remaining: z.int().describe("Dead events that are left: call again once there is room"),
});
export type Redriven = z.infer<typeof Redriven>;

export const Settle = withAliases(
  z.strictObject({
    acks: acks.optional(),
    nacks: z.array(Nack).max(BATCH_MAX).optional(),
  }),
  { ack: "acks", nack: "nacks" },
);
export type Settle = z.infer<typeof Settle>;

const AckOutcome = z.object({
  event_id: z.string(),
  outcome: z.enum(["acknowledged", "lease_lost", "not_found"]),
});
export type AckOutcome = z.infer<typeof AckOutcome>;

const NackOutcome = z.object({
  event_id: z.string(),
  outcome: z.enum(["released", "dead", "lease_lost", "not_found"]),
});
export type NackOutcome = z.infer<typeof NackOutcome>;

export const Settled = z.object({
  object: z.literal("inbox_ack_result"),
  acks: z.array(AckOutcome).describe("In the order of the request"),
  nacks: z.array(NackOutcome).describe("In the order of the request"),
});
export type Settled = z.infer<typeof Settled>;

export const Received = listOf(LeasedEvent).extend({
  acks: z.array(AckOutcome).optional().describe("Present when `ack` was sent, in its order"),
});
export type Received = z.infer<typeof Received>;

function leaseSeconds() {
  return z.int().min(1).max(LEASE_SECONDS_MAX);
}

/** Seconds in a query parameter or a header. */
function seconds(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,10}$/, `must be an integer from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine(
      (value) => value >= minimum && value <= maximum,
      `must be an integer from ${minimum} to ${maximum}`,
    )
    .meta({ query: { type: "integer", minimum, maximum } });
}
