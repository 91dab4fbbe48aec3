-- Owners of before who never chose hear of failed messages like new ones. Their first checks spread over an hour.
INSERT INTO notice_settings (id, organization_id, user_id, kinds, due_at)
SELECT 'ntc_' || id_time((extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
         || left(replace(gen_random_uuid()::text, '-', ''), 16),
       organization_id, user_id, '{messages}', unix_now() + (random() * 3600)::bigint
FROM members JOIN users ON users.id = user_id
WHERE role = 'owner' AND email IS NOT NULL
ON CONFLICT (organization_id, user_id) DO NOTHING;
