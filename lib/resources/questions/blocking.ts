import { sql } from "@/lib/platform/db/sql";

/**
 * All questions, with `blocks`: whether tasks wait for them. A question blocks until it is answered,
 * one to approve until it is approved. The database's function `open_blocker_of` says the same.
 */
export const BLOCKING_QUESTIONS = sql`(
  SELECT *, state <> 'answered' OR (kind = 'approve' AND answer <> 'approve') AS blocks
  FROM questions)`;
