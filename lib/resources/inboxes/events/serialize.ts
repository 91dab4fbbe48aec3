import { recordedBody } from "@/lib/platform/http/recorded-body";
import { readHeaders } from "@/lib/platform/http/recorded-headers";
import type { EventState, InboxEvent, LeasedEvent } from "./contract";

/** A row of `inbox_events` with its inbox's owner. */
export interface EventRow {
  id: string;
  inbox_id: string;
  organization_id: string | null;
  state: EventState;
  content_type: string | null;
  headers: string;
  body: Buffer;
  query_string: string;
  source_ip: string | null;
  size_bytes: number;
  dedup_id: string | null;
  delivery_count: number;
  consumer: string | null;
  lease_id: string | null;
  leased_until: number | null;
  last_error: string | null;
  visible_at: number | null;
  received_at: number;
  expires_at: number;
}

export function serializeEvent(row: EventRow): InboxEvent {
  return {
    id: row.id,
    object: "inbox_event",
    inbox_id: row.inbox_id,
    organization_id: row.organization_id,
    state: row.state,
    content_type: row.content_type,
    ...readHeaders(row.headers),
    ...recordedBody(row.body, row.content_type),
    // The last value of a repeated key wins; `__proto__` is a normal key. URLSearchParams strips
    // one leading question mark, so add one.
    query_params: Object.fromEntries(new URLSearchParams(`?${row.query_string}`)),
    source_ip: row.source_ip,
    size_bytes: row.size_bytes,
    dedup_id: row.dedup_id,
    delivery_count: row.delivery_count,
    consumer: row.consumer,
    leased_until: row.leased_until,
    last_error: row.last_error,
    visible_at: row.visible_at,
    received_at: row.received_at,
    expires_at: row.expires_at,
  };
}

/** A received event, the only response that includes the lease ID. */
export function serializeLeased(row: EventRow): LeasedEvent {
  if (row.lease_id === null) throw new Error("A received event has no lease.");
  return { ...serializeEvent(row), lease_id: row.lease_id };
}
