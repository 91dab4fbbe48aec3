import { z } from "zod";
import { claimFields, externalId, resourceFields, text } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list";

export const MAX_EVENTS_DEFAULT = 1000;
export const TTL_SECONDS_DEFAULT = 86_400;
export const TTL_SECONDS_MIN = 60;
export const TTL_SECONDS_MAX = 2_592_000;

export const Inbox = z.object({
  id: z.string().describe("Begins with inbox_"),
  object: z.literal("inbox"),
  name: z.string(),
  description: z.string().nullable(),
  ingest_url: z.string().describe("Anyone may POST an event there, without a key."),
  default_ttl_seconds: z.int().describe("How long an event lives that names no time itself"),
  max_events: z.int().describe("How many events may be pending"),
  event_count: z.int().optional().describe("The pending events; on single reads only"),
  ...resourceFields,
});
export type Inbox = z.infer<typeof Inbox>;

export const CreatedInbox = Inbox.extend(claimFields);
export type CreatedInbox = z.infer<typeof CreatedInbox>;

export const InboxCreate = z.strictObject({
  name: text({ min: 1, max: 200 }),
  description: text({ max: 1000 }).nullable().optional(),
  default_ttl_seconds: z
    .int()
    .min(TTL_SECONDS_MIN)
    .max(TTL_SECONDS_MAX)
    .optional()
    .describe(`${TTL_SECONDS_DEFAULT} when left out`),
  max_events: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .optional()
    .describe(`${MAX_EVENTS_DEFAULT} when left out or null`),
  external_id: externalId.optional(),
});
export type InboxCreate = z.infer<typeof InboxCreate>;

export const InboxUpdate = InboxCreate.partial();
export type InboxUpdate = z.infer<typeof InboxUpdate>;

export const InboxListQuery = listQuery("inbox").extend({ external_id: text().optional() });
export type InboxListQuery = z.infer<typeof InboxListQuery>;

export const InboxStats = z.object({
  object: z.literal("inbox_stats"),
  inbox_id: z.string(),
  ready: z.int(),
  delayed: z.int(),
  leased: z.int(),
  dead: z.int(),
  oldest_ready_age_seconds: z
    .int()
    .nullable()
    .describe("How long the event that is received next has been ready; null when none is"),
  totals: z
    .object({
      ingested: z.int(),
      acknowledged: z.int().describe("By ack, or removed one by one"),
      expired: z.int(),
      purged: z.int(),
    })
    .describe(
      "Since the inbox exists: ingested = acknowledged + expired + purged + what is there now.",
    ),
});
export type InboxStats = z.infer<typeof InboxStats>;
