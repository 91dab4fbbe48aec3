import { isUtf8 } from "node:buffer";
import type { Caller } from "@/lib/platform/caller";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { sql } from "@/lib/platform/db/sql";
import { keptHeaders } from "@/lib/platform/http/recorded-headers";
import { toResource } from "@/lib/resources/to-resource";
import { type Message, MessageAttempt, OVERDUE_SECONDS } from "./contract";
import { shownHeaders } from "./shown-headers";

const STORED_COLUMNS = columns(
  "ScheduledMessage",
  `id, organization_id, url, method, headers, body, scheduled_at, status, due_at, attempts,
   response_status, last_error, delivered_at, external_id, created_at, updated_at, revision`,
);

export const MESSAGE_COLUMNS = sql`${STORED_COLUMNS},
  coalesce(status <> 'delivering' AND due_at <= unix_now() - ${OVERDUE_SECONDS}::bigint, false)
    AS overdue,
  status = 'scheduled' AND due_at IS NULL AS held`;

export type MessageRow = RowOf<typeof STORED_COLUMNS> & { overdue: boolean; held: boolean };

export function serializeMessage(row: MessageRow, caller: Caller): Message {
  const encoding = row.body && (isUtf8(row.body) ? "utf8" : "base64");
  return {
    id: row.id,
    object: "scheduled_message",
    organization_id: row.organization_id,
    channel: "http",
    url: row.url,
    method: row.method,
    headers: shownHeaders(row.headers, row.organization_id, caller),
    body: row.body?.toString(encoding ?? "utf8") ?? null,
    body_encoding: encoding,
    scheduled_at: row.scheduled_at,
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    last_error: row.last_error,
    delivered_at: row.delivered_at,
    next_attempt_at: row.status === "failed" ? row.due_at : null,
    overdue: row.overdue,
    held: row.held,
    external_id: row.external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export const ATTEMPT_COLUMNS = columns(
  "MessageAttempt",
  `id, message_id, attempt, started_at, duration_ms, response_status, response_headers,
   response_body, error`,
);

export type AttemptRow = RowOf<typeof ATTEMPT_COLUMNS>;

export function serializeAttempt(row: AttemptRow): MessageAttempt {
  const kept = row.response_headers && keptHeaders(row.response_headers);
  return toResource(MessageAttempt, row, {
    response_headers: kept?.headers ?? null,
    response_headers_truncated: kept?.headers_truncated ?? false,
  });
}
