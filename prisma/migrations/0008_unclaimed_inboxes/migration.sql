-- What the sweep of unclaimed public resources looks for; the other kinds have theirs since 0004.
CREATE INDEX "inboxes_unclaimed_idx" ON "inboxes"("created_at") WHERE organization_id IS NULL;
