-- The age of a signature, and whether somebody waits for captures, are compared with the clock. They were compared with
-- the time in the event's ID, which stays at the newest event while the clock is set back: valid signatures counted as
-- out of tolerance until the clock was there again. The rest of both functions stays as it is.
DO $$
DECLARE
  changed REGPROC;
BEGIN
  FOREACH changed IN ARRAY ARRAY['capture_events', 'capture_and_forward']::REGPROC[] LOOP
    EXECUTE replace(
      replace(
        pg_get_functiondef(changed),
        'seconds < judgement.valid_from OR seconds > judgement.valid_until',
        'unix_now() NOT BETWEEN judgement.valid_from AND judgement.valid_until'),
      'state.watched_until > seconds', 'state.watched_until > unix_now()');
  END LOOP;
END $$;
