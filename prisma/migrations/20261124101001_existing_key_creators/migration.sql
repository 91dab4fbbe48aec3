-- Until now only the log knew who made a key, and it forgets after a while.
UPDATE api_keys SET created_by_user_id = event.actor
FROM audit_events AS event
WHERE event.action = 'key.created' AND event.data ->> 'key' = api_keys.id
  AND event.organization_id = api_keys.organization_id;

-- The keys that replaced them.
UPDATE api_keys SET created_by_user_id = first.created_by_user_id
FROM api_keys AS first
WHERE first.id = api_keys.first_id AND first.created_by_user_id IS NOT NULL;
