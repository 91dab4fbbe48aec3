-- A deleted endpoint's replays are canceled. Without their rows, nothing would know their messages.
ALTER TABLE webhook_replays DROP CONSTRAINT webhook_replays_endpoint_id_fkey;
