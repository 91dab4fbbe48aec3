-- A reply in a public inbox counts 300 bytes more than its body, as an event does: an inbox could keep any number of empty
-- ones. The rest of the function stays as it is.
DO $$
BEGIN
  EXECUTE replace(
    pg_get_functiondef('reply_to_event'::REGPROC), 'bytes_used + length(content)', 'bytes_used + length(content) + 300');
END $$;
