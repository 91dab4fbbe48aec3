ALTER TABLE questions ADD COLUMN require_sign_in BOOLEAN NOT NULL DEFAULT false;
