-- Whoever asked hears how a question ended.
ALTER TABLE questions
  ADD COLUMN reply_to TEXT,
  ADD COLUMN replied_at BIGINT,
  ADD COLUMN network TEXT,
  ADD COLUMN public_only BOOLEAN NOT NULL DEFAULT false;
