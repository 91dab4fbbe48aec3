import { config } from "@/lib/platform/config/config";
import type { WebhookEndpoint } from "./contract";

/** A row of `webhook_endpoints`. */
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
  revision: number;
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

/** The endpoint as returned by a single read. */
export function serializeEndpointWithCount(row: EndpointRow): WebhookEndpoint {
  return { ...serializeEndpoint(row), event_count: row.event_count };
}
