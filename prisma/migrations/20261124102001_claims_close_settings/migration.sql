-- What was set or changed without the claim token: a claim removes the settings, pauses the schedules and
-- holds the messages. The settings of before count as others', since nobody recorded who made them.
ALTER TABLE "artifacts" ADD COLUMN "changed_without_token" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "inboxes" ADD COLUMN "changed_without_token" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "scheduled_messages" ADD COLUMN "changed_without_token" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "schedules" ADD COLUMN "changed_without_token" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "tasks" ADD COLUMN "changed_without_token" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "webhook_endpoints" ADD COLUMN "changed_without_token" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "webhook_forwards" ADD COLUMN "by_creator" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "webhook_verifications" ADD COLUMN "by_creator" BOOLEAN NOT NULL DEFAULT false;
