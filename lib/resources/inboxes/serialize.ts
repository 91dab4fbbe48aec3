import { config } from "@/lib/platform/config/config";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import type { Inbox } from "./contract";

export const INBOX_COLUMNS = columns(
  "Inbox",
  `id, organization_id, name, description, default_ttl_seconds, max_events, external_id,
   created_at, updated_at, revision`,
);

export type InboxRow = RowOf<typeof INBOX_COLUMNS>;

/** `eventCount` is for single reads only. */
export function serializeInbox(row: InboxRow, eventCount?: number): Inbox {
  return {
    id: row.id,
    object: "inbox",
    organization_id: row.organization_id,
    name: row.name,
    description: row.description,
    ingest_url: `${config().baseUrl}/api/inboxes/${row.id}/events`,
    default_ttl_seconds: row.default_ttl_seconds,
    max_events: row.max_events,
    ...(eventCount !== undefined && { event_count: eventCount }),
    external_id: row.external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
