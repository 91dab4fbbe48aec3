-- The sweep deletes old counters. A use in the same window does not change the indexed column.
CREATE INDEX CONCURRENTLY IF NOT EXISTS usage_counters_window_started_at_idx ON usage_counters (window_started_at);
