-- A revocation finds the keys of a chain.

CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_first_id_idx" ON "api_keys" ("first_id");
