-- A bulk replay ends with the membership of the person who started it.
ALTER TABLE webhook_replays ADD COLUMN user_id TEXT COLLATE "C";
