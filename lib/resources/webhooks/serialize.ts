import { config } from "@/lib/platform/config/config";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import type { WebhookEndpoint } from "./contract";

export const ENDPOINT_COLUMNS = columns(
  "WebhookEndpoint",
  `id, organization_id, name, description, max_events, external_id, created_at, updated_at, revision`,
);

export type EndpointRow = RowOf<typeof ENDPOINT_COLUMNS>;

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
export function serializeEndpointWithCount(
  row: EndpointRow & { event_count: number },
): WebhookEndpoint {
  return { ...serializeEndpoint(row), event_count: row.event_count };
}
