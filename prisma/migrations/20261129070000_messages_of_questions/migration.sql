-- A claim of a question alone takes the message of its reply, too.
ALTER TABLE scheduled_messages ADD COLUMN question_id TEXT COLLATE "C";
