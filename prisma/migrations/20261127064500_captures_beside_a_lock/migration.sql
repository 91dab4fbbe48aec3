-- A capture gives up on a locked endpoint, and its batch is then stored by endpoint: captures of others waited for the
-- lock, such as that of a deletion, and failed after six seconds.
ALTER FUNCTION capture_events(
  TEXT, TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], BYTEA, INTEGER[], INTEGER[], BIGINT[], TEXT[], JSON, BIGINT,
  INTEGER, INTEGER
) SET lock_timeout = '500ms';
