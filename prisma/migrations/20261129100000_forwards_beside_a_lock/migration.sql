-- A capture with a forward gives up on a locked endpoint or inbox, and takes its turn again: captures of others with the
-- same inbox waited for that lock too.
ALTER FUNCTION capture_and_forward(
  TEXT, TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], BYTEA, INTEGER[], INTEGER[], BIGINT[], TEXT[], JSON, BIGINT
) SET lock_timeout = '500ms';
