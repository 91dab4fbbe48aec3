-- A claim lists a message of which a stranger changed only the time, without holding it.
ALTER TABLE scheduled_messages ADD COLUMN touched_without_token BOOLEAN NOT NULL DEFAULT false;
