-- A bulk replay ends with the revocation of the key that started it.
ALTER TABLE webhook_replays ADD COLUMN key_id TEXT;
