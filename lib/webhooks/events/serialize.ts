import { recordedBody } from "@/lib/http/recorded-body";
import type { WebhookEvent } from "./contract";

/** A row of `webhook_events`. */
export interface EventRow {
  id: string;
  method: string;
  path: string;
  query_string: string;
  headers: string;
  body: Buffer;
  size_bytes: number;
  source_ip: string | null;
  received_at: number;
}

/** An event has the owner of its endpoint. */
export function serializeEvent(
  row: EventRow,
  endpoint: { id: string; organization_id: string | null },
): WebhookEvent {
  // Names are untrusted; `JSON.parse` and `fromEntries` treat `__proto__` as a normal key.
  const headers: Record<string, string> = JSON.parse(row.headers);
  return {
    id: row.id,
    object: "webhook_event",
    endpoint_id: endpoint.id,
    organization_id: endpoint.organization_id,
    method: row.method,
    path: row.path,
    headers,
    ...recordedBody(row.body, headers["content-type"] ?? null),
    body_truncated: row.size_bytes > row.body.length,
    // URLSearchParams strips one leading question mark, so add one.
    query_params: Object.fromEntries(new URLSearchParams(`?${row.query_string}`)),
    query_string: row.query_string,
    source_ip: row.source_ip,
    size_bytes: row.size_bytes,
    received_at: row.received_at,
  };
}
