-- Planning its statements anew for each batch, as the arrays' lengths tempt Postgres to do, took a third of the
-- time of a single capture; the plan is the same whatever they are.
ALTER FUNCTION capture_webhook_events SET plan_cache_mode = force_generic_plan;
