-- Questions to people. No statement here uses the new values: a transaction cannot use a value that it has added.
ALTER TYPE resource_kind ADD VALUE 'questions';
ALTER TYPE change_action ADD VALUE 'answered';
ALTER TYPE change_action ADD VALUE 'withdrawn';
ALTER TYPE change_action ADD VALUE 'expired';

CREATE TYPE question_type AS ENUM ('approve', 'choice', 'text');
CREATE TYPE question_state AS ENUM ('open', 'answered', 'expired', 'withdrawn');
CREATE TYPE question_expiry AS ENUM ('expire', 'deny');

CREATE TABLE questions (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  changed_without_token BOOLEAN NOT NULL DEFAULT false,
  answer_token_digest TEXT NOT NULL,
  prompt TEXT NOT NULL,
  kind question_type NOT NULL,
  options TEXT,
  context TEXT,
  on_expiry question_expiry NOT NULL DEFAULT 'expire',
  expires_at BIGINT NOT NULL,
  state question_state NOT NULL DEFAULT 'open',
  answer TEXT,
  answered_by TEXT,
  answered_at BIGINT,
  external_id TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now(),
  revision INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX questions_claim_token_digest_idx ON questions (claim_token_digest)
  WHERE claim_token_digest IS NOT NULL;
CREATE INDEX questions_organization_id_id_idx ON questions (organization_id, id DESC);
CREATE INDEX questions_owned_external_id_idx ON questions (organization_id, hashtextextended(external_id, 0), id DESC)
  WHERE external_id IS NOT NULL;
CREATE INDEX questions_unclaimed_idx ON questions (created_at) WHERE organization_id IS NULL;
CREATE INDEX questions_open_idx ON questions (organization_id, id DESC) WHERE state = 'open';
CREATE INDEX questions_expires_at_idx ON questions (expires_at) WHERE state = 'open';
