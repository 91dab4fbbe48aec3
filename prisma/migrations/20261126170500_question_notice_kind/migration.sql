-- Members may choose notices about questions, too.
ALTER TABLE notice_settings
  DROP CONSTRAINT notice_settings_known_kinds,
  ADD CONSTRAINT notice_settings_known_kinds
    CHECK (kinds <@ '{messages,inboxes,agents,questions}'::text[]);
