import type { Row } from "@/lib/platform/db/columns";
import { sql } from "@/lib/platform/db/sql";
import { toJson } from "@/lib/platform/http/json-text";
import { recordedBody } from "@/lib/platform/http/recorded-body";
import { headersJson, readHeaders } from "@/lib/platform/http/recorded-headers";
import { readQuery } from "@/lib/platform/http/recorded-query";
import { mapInTurns } from "@/lib/platform/loop-turns";
import type { InboxEvent } from "./contract";
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

/**
 * The columns of a `LeasedRow`. Postgres makes the JSON of members that are only passed on: making it here was the
 * largest part of receiving hundreds of events. `event` is a row of `lease_events`.
 */
export const LEASED_COLUMNS = sql`
  event.id, event.lease_id, event.content_type, event.headers, event.body, event.query_string,
  concat(
    '"source_ip":', coalesce(to_json(event.source_ip), 'null'),
    ',"size_bytes":', event.size_bytes,
    ',"dedup_id":', coalesce(to_json(event.dedup_id), 'null'),
    ',"delivery_count":', event.delivery_count
  ) AS arrival,
  concat(
    '"leased_until":', event.leased_until,
    ',"last_error":', coalesce(to_json(event.last_error), 'null'),
    ',"visible_at":', event.leased_until,
    ',"received_at":', event.received_at,
    ',"expires_at":', event.expires_at,
    ',"lease_id":', to_json(event.lease_id)
  ) AS delivery`;

export type LeasedRow = Row<
  "InboxEvent",
  "id" | "content_type" | "headers" | "body" | "query_string"
> & {
  lease_id: string;
  /** The members before and after `consumer`, as JSON. */
  arrival: string;
  delivery: string;
};

/** What all events of one receive have. */
interface Receiver {
  inbox_id: string;
  organization_id: string | null;
  consumer: string | null;
}

/** Received events, each as JSON like that of `serializeEvent`. Only these have a lease ID. */
export function serializeLeased(rows: LeasedRow[], receiver: Receiver): Promise<string[]> {
  const { consumer, ...inbox } = receiver;
  const shared = JSON.stringify({ object: "inbox_event", ...inbox, state: "leased" }).slice(1, -1);
  const consumed = `"consumer":${JSON.stringify(consumer)}`;
  return mapInTurns(rows, (row) => {
    const { headers, headers_truncated } = headersJson(row.headers);
    const { body, body_encoding, parsed_body } = recordedBody(row.body, row.content_type);
    const query = row.query_string === "" ? "{}" : JSON.stringify(readQuery(row.query_string));
    return (
      `{"id":"${row.id}",${shared},"content_type":${JSON.stringify(row.content_type)},` +
      `"headers":${headers},"headers_truncated":${headers_truncated},` +
      `"body":${JSON.stringify(body)},"body_encoding":${JSON.stringify(body_encoding)},` +
      `"parsed_body":${toJson(parsed_body)},"query_params":${query},` +
      `${row.arrival},${consumed},${row.delivery}}`
    );
  });
}
