-- What a claim token claims. Resources that were created with a key have none, and so no entry.
CREATE INDEX "tasks_claim_token_digest_idx" ON "tasks"("claim_token_digest") WHERE "claim_token_digest" IS NOT NULL;
CREATE INDEX "webhook_endpoints_claim_token_digest_idx" ON "webhook_endpoints"("claim_token_digest") WHERE "claim_token_digest" IS NOT NULL;
CREATE INDEX "artifacts_claim_token_digest_idx" ON "artifacts"("claim_token_digest") WHERE "claim_token_digest" IS NOT NULL;
CREATE INDEX "scheduled_messages_claim_token_digest_idx" ON "scheduled_messages"("claim_token_digest") WHERE "claim_token_digest" IS NOT NULL;
CREATE INDEX "inboxes_claim_token_digest_idx" ON "inboxes"("claim_token_digest") WHERE "claim_token_digest" IS NOT NULL;
