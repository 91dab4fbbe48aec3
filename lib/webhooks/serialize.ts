import { config } from "@/lib/config/config";
import { recordedBody } from "@/lib/http/recorded-body";
import type { WebhookEndpoint, WebhookEvent } from "./contract";

/** A row of `webhook_endpoints` as SQL gives it. */
export interface EndpointRow {
  id: string;
  organization_id: string | null;
  name: string;
  description: string | null;
  max_events: number;
  event_count: number;
  external_id: string | null;
  created_at: number;
  updated_at: number;
}

/** A row of `webhook_events` as SQL gives it. */
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

export function serializeEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    object: "webhook_endpoint",
    organization_id: row.organization_id,
    name: row.name,
    description: row.description,
    url: `${config().baseUrl}/api/catch/${row.id}`,
    max_events: row.max_events,
    external_id: row.external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The endpoint as a read of this one shows it. */
export function serializeEndpointWithCount(row: EndpointRow): WebhookEndpoint {
  return { ...serializeEndpoint(row), event_count: row.event_count };
}

/** An event, which belongs to whom its endpoint belongs to. */
export function serializeEvent(
  row: EventRow,
  endpoint: { id: string; organization_id: string | null },
): WebhookEvent {
  // Names are strangers' too: `JSON.parse` and `fromEntries` make `__proto__` a property like any other.
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
    // With a question mark ahead, as it takes one away.
    query_params: Object.fromEntries(new URLSearchParams(`?${row.query_string}`)),
    query_string: row.query_string,
    source_ip: row.source_ip,
    size_bytes: row.size_bytes,
    received_at: row.received_at,
  };
}
