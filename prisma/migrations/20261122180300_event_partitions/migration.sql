-- The event tables can be partitioned by their parent.

-- As before, but the captured event is found by its key, not by `ctid`.
CREATE OR REPLACE FUNCTION record_inbox_end(
  of_inbox TEXT, of_event TEXT, of_endpoint TEXT, outcome TEXT, at BIGINT, was_dead BOOLEAN, consumer TEXT,
  deliveries INTEGER, last_error TEXT
) RETURNS VOID
LANGUAGE sql VOLATILE AS $$
  UPDATE webhook_events SET inbox_end = json_build_object(
    'outcome', outcome, 'at', at, 'was_dead', was_dead, 'consumer', consumer, 'deliveries', deliveries,
    'last_error', left(last_error, 1000))
  WHERE endpoint_id = of_endpoint AND id = (
    SELECT v.id FROM webhook_events v
    WHERE v.endpoint_id = of_endpoint AND v.id = 'wev_' || substr(of_event, 5)
      AND (SELECT e.organization_id FROM webhook_endpoints e WHERE e.id = of_endpoint)
          IS NOT DISTINCT FROM (SELECT i.organization_id FROM inboxes i WHERE i.id = of_inbox)
    FOR NO KEY UPDATE SKIP LOCKED)
$$;
