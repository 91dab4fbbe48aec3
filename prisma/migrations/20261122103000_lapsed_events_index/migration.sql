-- The condition always holds. Statements that look for lapsed events repeat it; for all others the planner cannot
-- choose this index, with which it scanned a whole inbox to find one event by its ID.
DROP INDEX "inbox_events_inbox_id_lapses_at_idx";
CREATE INDEX "inbox_events_inbox_id_lapses_at_idx" ON "inbox_events"("inbox_id", "lapses_at") WHERE "lapses_at" > '-infinity';
