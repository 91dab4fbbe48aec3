import { type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError, type ErrorCode } from "@/lib/platform/errors";
import type { MessageRow } from "./serialize";

/**
 * What callers may do in each status. Delivery moves a message from `scheduled` (or `failed` with a
 * planned retry) to `delivering` in lease.ts, and on to `delivered` or `failed` in record.ts. Each
 * condition is checked twice: on the row that was read, for the error, and in the writing
 * statement, for the race with a dispatcher.
 */
export const transitions = {
  edit: {
    allows: (row: MessageRow) => row.status === "scheduled",
    condition: sql`status = 'scheduled'`,
    refusal: refusal("message_not_editable", "Only a scheduled message can be edited"),
  },
  cancel: {
    allows: (row: MessageRow) =>
      row.status === "scheduled" || (row.status === "failed" && row.due_at !== null),
    condition: sql`(status = 'scheduled' OR (status = 'failed' AND due_at IS NOT NULL))`,
    refusal: refusal(
      "message_not_cancelable",
      "Only a message that is scheduled or waiting for a retry can be canceled",
    ),
  },
  retry: {
    allows: (row: MessageRow) => row.status === "failed" || row.status === "canceled" || row.held,
    condition: sql`(status IN ('failed', 'canceled') OR (status = 'scheduled' AND due_at IS NULL))`,
    refusal: refusal(
      "message_not_retryable",
      "Only a failed, canceled or held message can be retried",
    ),
  },
};

/** Whether the message with this ID has failed and is not tried again. */
export function hasFailed(id: Sql): Sql {
  return sql`EXISTS (SELECT FROM scheduled_messages AS message
    WHERE message.id = ${id} AND message.status = 'failed' AND message.due_at IS NULL)`;
}

function refusal(code: ErrorCode, rule: string) {
  return (row: MessageRow) => new ApiError(code, `${rule}; this one is ${row.status}.`);
}
