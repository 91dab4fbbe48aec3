import { config } from "@/lib/platform/config/config";
import type { Inbox } from "./contract";

/** A row of `inboxes`. */
export interface InboxRow {
  id: string;
  organization_id: string | null;
  name: string;
  description: string | null;
  default_ttl_seconds: number;
  max_events: number;
  external_id: string | null;
  created_at: number;
  updated_at: number;
  revision: number;
}

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
