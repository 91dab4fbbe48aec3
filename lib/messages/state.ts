import { type Statement, sql } from "@/lib/db/sql";
import { ApiError, type ErrorCode } from "@/lib/errors";
import type { MessageRow } from "./serialize";

/**
 * What callers may do in which state; delivery itself moves a message from `scheduled` (or `failed`
 * with a retry planned) to `delivering` and from there to `delivered` or `failed`, in lease.ts and
 * record.ts. Each condition is checked on the row that was read, for the error, and again in the
 * statement that writes, for the race with a dispatcher.
 */
export const transitions = {
  edit: {
    allows: (row: MessageRow) => row.status === "scheduled",
    condition: sql`status = 'scheduled'`,
    refusal: refuse("message_not_editable", "Only a scheduled message can be edited"),
  },
  cancel: {
    allows: (row: MessageRow) =>
      row.status === "scheduled" || (row.status === "failed" && row.due_at !== null),
    condition: sql`(status = 'scheduled' OR (status = 'failed' AND due_at IS NOT NULL))`,
    refusal: refuse(
      "message_not_cancelable",
      "Only a message that is scheduled, or failed and to be retried, can be canceled",
    ),
  },
  retry: {
    allows: (row: MessageRow) => row.status === "failed" || row.status === "canceled",
    condition: sql`status IN ('failed', 'canceled')`,
    refusal: refuse(
      "message_not_retryable",
      "Only a message that has failed or was canceled can be retried",
    ),
  },
} satisfies Record<string, Transition>;

interface Transition {
  allows(row: MessageRow): boolean;
  condition: Statement;
  refusal(row: MessageRow): ApiError;
}

function refuse(code: ErrorCode, rule: string) {
  return (row: MessageRow) => new ApiError(code, `${rule}; this one is ${row.status}.`);
}
