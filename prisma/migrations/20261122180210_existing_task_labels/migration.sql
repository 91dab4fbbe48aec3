-- Not with the triggers, whose lock would stop all writes until the end. A label that is removed while
-- this runs may stay behind: readers check the task.
INSERT INTO "task_labels" ("owner_id", "label", "task_id")
SELECT "organization_id", "label", "id" FROM "tasks", unnest("labels") AS "label"
WHERE "organization_id" IS NOT NULL AND "labels" <> '{}'
ON CONFLICT DO NOTHING;
