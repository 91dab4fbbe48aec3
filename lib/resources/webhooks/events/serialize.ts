import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { recordedBody } from "@/lib/platform/http/recorded-body";
import { readHeaders } from "@/lib/platform/http/recorded-headers";
import { readQuery } from "@/lib/platform/http/recorded-query";
import type { WebhookEvent } from "./contract";

/**
 * The columns of a `ForwardRow`. The endpoint's state says why an event is held. It is on the same
 * node as the event, so one snapshot has both.
 */
export function forwardColumns(endpointId: string): Sql {
  return sql`forward_status,
    CASE WHEN forward_status = 'held' THEN (
           SELECT coalesce(e.obstacle::text, 'queued') FROM endpoint_state e
           WHERE e.endpoint_id = ${endpointId})
         ELSE forward_reason END AS forward_reason,
    forward_inbox_id, forwarded_id`;
}

/** Where an event went. */
export type ForwardRow = Row<
  "WebhookEvent",
  "forward_status" | "forward_reason" | "forward_inbox_id" | "forwarded_id"
>;

/** An event without its content. */
export const CAPTURE_COLUMNS = columns(
  "WebhookEvent",
  `id, method, path, query_string, size_bytes, source_ip, received_at, verified,
   verification_reason`,
);

/** The columns of an `EventRow`. */
export function eventColumns(endpointId: string): Sql {
  return sql`${CAPTURE_COLUMNS}, headers, body, ${forwardColumns(endpointId)}`;
}

export type EventRow = RowOf<typeof CAPTURE_COLUMNS> &
  Row<"WebhookEvent", "headers" | "body"> &
  ForwardRow;

/** An event has the owner of its endpoint. */
export function serializeEvent(
  row: EventRow,
  endpoint: { id: string; organization_id: string | null },
): WebhookEvent {
  const { headers, headers_truncated } = readHeaders(row.headers);
  return {
    id: row.id,
    object: "webhook_event",
    endpoint_id: endpoint.id,
    organization_id: endpoint.organization_id,
    method: row.method,
    path: row.path,
    headers,
    headers_truncated,
    ...recordedBody(row.body, headers["content-type"] ?? null),
    body_truncated: isTruncated(row),
    query_params: readQuery(row.query_string),
    query_string: row.query_string,
    source_ip: row.source_ip,
    size_bytes: row.size_bytes,
    received_at: row.received_at,
    verified: row.verified,
    verification_reason: row.verification_reason ?? "not_configured",
    forward: forwardOf(row),
  };
}

/** Whether only the first part of the body was kept. */
export function isTruncated(row: Pick<EventRow, "size_bytes" | "body">): boolean {
  return row.size_bytes > row.body.length;
}

/** Where an event went; null if its endpoint had no forward. */
export function forwardOf(row: ForwardRow): WebhookEvent["forward"] {
  const { forward_status: status, forward_inbox_id: inboxId, forwarded_id: id } = row;
  if (status === null) return null;
  return {
    status,
    reason: row.forward_reason,
    inbox_id: inboxId,
    inbox_event_id: inboxId === null ? null : id,
    message_id: inboxId === null ? id : null,
  };
}
