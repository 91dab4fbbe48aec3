-- What the overview asks of an organization's messages. Partial, which Prisma's schema language cannot say.

-- What is due next.
CREATE INDEX "scheduled_messages_organization_due_idx" ON "scheduled_messages"("organization_id", "due_at", "id") WHERE "due_at" IS NOT NULL;

-- What was attempted in the last day.
CREATE INDEX "scheduled_messages_organization_attempted_idx" ON "scheduled_messages"("organization_id", "delivered_at") WHERE "delivered_at" IS NOT NULL;

-- What failed for good: few rows, however much is delivered.
CREATE INDEX "scheduled_messages_organization_failed_idx" ON "scheduled_messages"("organization_id", "delivered_at") WHERE "status" = 'failed' AND "due_at" IS NULL;
