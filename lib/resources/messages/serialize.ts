import { isUtf8 } from "node:buffer";
import type { Caller } from "@/lib/platform/caller";
import { keptHeaders } from "@/lib/platform/http/recorded-headers";
import type { Message, MessageAttempt } from "./contract";
import { shownHeaders } from "./shown-headers";

/** A row of `scheduled_messages`. */
export interface MessageRow {
  id: string;
  organization_id: string | null;
  url: string;
  method: Message["method"];
  headers: Record<string, string>;
  body: Buffer | null;
  scheduled_at: number;
  status: Message["status"];
  due_at: number | null;
  overdue: boolean;
  held: boolean;
  attempts: number;
  response_status: number | null;
  last_error: string | null;
  delivered_at: number | null;
  external_id: string | null;
  created_at: number;
  updated_at: number;
  revision: number;
}

export function serializeMessage(row: MessageRow, caller: Caller): Message {
  const encoding = row.body && (isUtf8(row.body) ? "utf8" : "base64");
  return {
    id: row.id,
    object: "scheduled_message",
    organization_id: row.organization_id,
    channel: "http",
    url: row.url,
    method: row.method,
    headers: shownHeaders(row.headers, caller),
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

/** A row of `message_attempts`. */
export type AttemptRow = Omit<MessageAttempt, "object" | "response_headers_truncated">;

export function serializeAttempt(row: AttemptRow): MessageAttempt {
  const kept = row.response_headers && keptHeaders(row.response_headers);
  return {
    id: row.id,
    object: "message_attempt",
    message_id: row.message_id,
    attempt: row.attempt,
    started_at: row.started_at,
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    response_headers: kept?.headers ?? null,
    response_headers_truncated: kept?.headers_truncated ?? false,
    response_body: row.response_body,
    error: row.error,
  };
}
