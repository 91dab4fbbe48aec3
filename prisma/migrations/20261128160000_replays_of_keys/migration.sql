-- A bulk replay ends with the revocation of the key that started it.
ALTER TABLE webhook_replays ADD COLUMN key_id TEXT;

-- A note names a person by their ID, so that their address is gone with their account.
ALTER TABLE task_notes ADD COLUMN author_id TEXT;
