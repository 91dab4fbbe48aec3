import * as z from "zod";
import {
  created,
  externalId,
  idOf,
  NAME,
  objectType,
  reference,
  resourceFields,
  text,
} from "@/lib/platform/http/fields";
import { inboxKind } from "./kind";

export const MAX_EVENTS_DEFAULT = 1000;
export const TTL_SECONDS_DEFAULT = 86_400;
export const TTL_SECONDS_MIN = 60;
export const TTL_SECONDS_MAX = 2_592_000;

const DESCRIPTION = "A description, or null.";
const TTL = "How long events live by default, in seconds.";
const MAX_EVENTS = "How many events may be pending. More are refused.";

export const Inbox = z
  .object({
    id: idOf(inboxKind.prefix),
    object: objectType("inbox"),
    name: z.string().describe(NAME),
    description: z.string().nullable().describe(DESCRIPTION),
    ingest_url: z.string().describe("Anyone may POST events to it, without a key."),
    default_ttl_seconds: z.int().describe(TTL),
    max_events: z.int().describe(MAX_EVENTS),
    event_count: z.int().optional().describe("How many events are pending. Lists leave it out."),
    ...resourceFields,
  })
  .meta({
    id: "Inbox",
    examples: [
      {
        name: "Orders",
        ingest_url: "https://agents.acme.dev/api/inboxes/inbox_034gLHnnT5MH2Sbz6VPrmYvR1q/events",
        default_ttl_seconds: 86_400,
        max_events: 1000,
      },
    ],
  });
export type Inbox = z.infer<typeof Inbox>;

export const CreatedInbox = created(Inbox, "CreatedInbox", inboxKind.name);
export type CreatedInbox = z.infer<typeof CreatedInbox>;

export const InboxCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }).describe(NAME),
    description: text({ max: 100_000 }).nullable().optional().describe(DESCRIPTION),
    default_ttl_seconds: z
      .int()
      .min(TTL_SECONDS_MIN)
      .max(TTL_SECONDS_MAX)
      .optional()
      .describe(`${TTL} Default: ${TTL_SECONDS_DEFAULT}.`),
    max_events: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .optional()
      .describe(`${MAX_EVENTS} Default, also for null: ${MAX_EVENTS_DEFAULT}.`),
    external_id: externalId.optional(),
  })
  .meta({ id: "InboxCreate", examples: [{ name: "Orders" }] });
export type InboxCreate = z.infer<typeof InboxCreate>;

export const InboxUpdate = InboxCreate.partial().meta({
  id: "InboxUpdate",
  examples: [{ max_events: 5000 }],
});
export type InboxUpdate = z.infer<typeof InboxUpdate>;

export const InboxStats = z
  .object({
    object: objectType("inbox_stats"),
    inbox_id: reference("inbox", "The inbox that is counted."),
    ready: z.int().describe("Events that can be received now."),
    delayed: z.int().describe("Events whose delay has not ended."),
    leased: z.int().describe("Events that a consumer holds."),
    dead: z.int().describe("Events that only a redrive delivers again."),
    oldest_ready_age_seconds: z
      .int()
      .nullable()
      .describe("How long the oldest ready event has been ready, in seconds; null without one."),
    totals: z
      .object({
        ingested: z.int().describe("Events ever added."),
        acknowledged: z.int().describe("Events acknowledged, or deleted by their ID."),
        expired: z.int().describe("Events that have expired."),
        purged: z.int().describe("Events deleted by a purge."),
      })
      .describe("Counts since its creation. `ingested` is the others and the present events."),
  })
  .meta({
    id: "InboxStats",
    examples: [
      {
        ready: 2,
        leased: 1,
        oldest_ready_age_seconds: 42,
        totals: { ingested: 10, acknowledged: 7, expired: 0, purged: 0 },
      },
    ],
  });
export type InboxStats = z.infer<typeof InboxStats>;
