CREATE INDEX CONCURRENTLY IF NOT EXISTS questions_owed_replies_idx ON questions (id)
  WHERE reply_to IS NOT NULL AND replied_at IS NULL AND state <> 'open';
