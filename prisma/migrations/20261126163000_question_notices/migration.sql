ALTER TABLE notice_settings
  ADD COLUMN questions_since BIGINT,
  ADD COLUMN reported_questions TEXT[] DEFAULT '{}',
  ADD COLUMN question_mails BIGINT[] DEFAULT '{}';
