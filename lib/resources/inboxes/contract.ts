import * as z from "zod";
import { claimFields, externalId, resourceFields, text } from "@/lib/platform/http/fields";
import { listQuery } from "@/lib/platform/lists/list";
import { inboxKind } from "./kind";

export const MAX_EVENTS_DEFAULT = 1000;
export const TTL_SECONDS_DEFAULT = 86_400;
export const TTL_SECONDS_MIN = 60;
export const TTL_SECONDS_MAX = 2_592_000;

export const Inbox = z
  .object({
    id: z.string(),
    object: z.literal("inbox"),
    name: z.string(),
    description: z.string().nullable(),
    ingest_url: z.string().describe("Anyone may POST events to it, without a key."),
    default_ttl_seconds: z.int().describe("Lifetime of events that set none"),
    max_events: z.int().describe("Maximum number of pending events"),
    event_count: z.int().optional().describe("Number of pending events; on single reads only"),
    ...resourceFields,
  })
  .meta({
    id: "Inbox",
    examples: [
      {
        id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "inbox",
        name: "Orders",
        description: null,
        ingest_url: "https://agents.acme.dev/api/inboxes/inbox_034gLHnnT5MH2Sbz6VPrmYvR1q/events",
        default_ttl_seconds: 86_400,
        max_events: 1000,
        organization_id: null,
        external_id: "crm-4711",
        created_at: 1_767_225_600,
        updated_at: 1_767_225_600,
      },
    ],
  });
export type Inbox = z.infer<typeof Inbox>;

export const CreatedInbox = Inbox.extend(claimFields).meta({ id: "CreatedInbox" });
export type CreatedInbox = z.infer<typeof CreatedInbox>;

export const InboxCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }),
    description: text({ max: 100_000 }).nullable().optional(),
    default_ttl_seconds: z
      .int()
      .min(TTL_SECONDS_MIN)
      .max(TTL_SECONDS_MAX)
      .optional()
      .describe(`Default: ${TTL_SECONDS_DEFAULT}`),
    max_events: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .optional()
      .describe(`Default: ${MAX_EVENTS_DEFAULT}, also for null`),
    external_id: externalId.optional(),
  })
  .meta({ id: "InboxCreate", examples: [{ name: "Orders" }] });
export type InboxCreate = z.infer<typeof InboxCreate>;

export const InboxUpdate = InboxCreate.partial().meta({
  id: "InboxUpdate",
  examples: [{ max_events: 5000 }],
});
export type InboxUpdate = z.infer<typeof InboxUpdate>;

export const InboxListQuery = listQuery(inboxKind.prefix).extend({
  external_id: text().optional(),
});
export type InboxListQuery = z.infer<typeof InboxListQuery>;

export const InboxStats = z
  .object({
    object: z.literal("inbox_stats"),
    inbox_id: z.string(),
    ready: z.int(),
    delayed: z.int(),
    leased: z.int(),
    dead: z.int(),
    oldest_ready_age_seconds: z.int().nullable().describe("Age of the next event to be received"),
    totals: z
      .object({
        ingested: z.int(),
        acknowledged: z.int(),
        expired: z.int(),
        purged: z.int(),
      })
      .describe("ingested = the other totals + the events present"),
  })
  .meta({
    id: "InboxStats",
    examples: [
      {
        object: "inbox_stats",
        inbox_id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
        ready: 2,
        delayed: 0,
        leased: 1,
        dead: 0,
        oldest_ready_age_seconds: 42,
        totals: { ingested: 10, acknowledged: 7, expired: 0, purged: 0 },
      },
    ],
  });
export type InboxStats = z.infer<typeof InboxStats>;
