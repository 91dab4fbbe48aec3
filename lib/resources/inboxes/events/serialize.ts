import { recordedBody } from "@/lib/platform/http/recorded-body";
import { readHeaders } from "@/lib/platform/http/recorded-headers";
import { readQuery } from "@/lib/platform/http/recorded-query";
import type { InboxEvent, LeasedEvent } from "./contract";
import type { EventRow } from "./state";

export function serializeEvent(row: EventRow): InboxEvent {
  const { headers, headers_truncated } = readHeaders(row.headers);
  const { body, body_encoding, parsed_body } = recordedBody(row.body, row.content_type);
  return {
    id: row.id,
    object: "inbox_event",
    inbox_id: row.inbox_id,
    organization_id: row.organization_id,
    state: row.state,
    content_type: row.content_type,
    headers,
    headers_truncated,
    body,
    body_encoding,
    parsed_body,
    query_params: readQuery(row.query_string),
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

/** A received event. Only this response includes the lease ID. */
export function serializeLeased(row: EventRow): LeasedEvent {
  if (row.lease_id === null) throw new Error("A received event has no lease.");
  return { ...serializeEvent(row), lease_id: row.lease_id };
}
