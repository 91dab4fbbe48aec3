-- A revocation is kept beside the delegation, which the end of a membership deletes, and which a user who has never
-- registered does not have.
CREATE TABLE revoked_subjects (
  iss TEXT COLLATE "C" NOT NULL,
  sub TEXT COLLATE "C" NOT NULL,
  revoked_at BIGINT NOT NULL,
  PRIMARY KEY (iss, sub)
);
CREATE INDEX revoked_subjects_revoked_at_idx ON revoked_subjects (revoked_at);
