import { setTimeout as pause } from "node:timers/promises";
import { Gauge, Registry } from "prom-client";
import { replicaLag } from "@/lib/platform/db/replica";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { checkDatabase } from "@/lib/upkeep/health/database";

/** The largest fraction of time spent on reading the depths. */
const DEPTH_SHARE = 0.01;
export const DEPTH_AGE_MS_MIN = 5000;
const DEPTH_WAIT_MS_MAX = 1000;

/** The metrics of all servers, from the database. If it is down, only `database_usable`. */
export async function serviceMetrics() {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number | null) => {
    if (value !== null) new Gauge({ name, help, registers: [registry] }).set(value);
  };
  const [state, pending, lag] = await Promise.all([
    checkDatabase().catch(() => null),
    pendingEvents().catch(() => null),
    replicaLag(),
  ]);
  gauge("database_usable", "1 if the database can be used.", state ? 1 : 0);
  gauge("inbox_pending_events", "Events that wait in all inboxes.", state && pending);
  gauge("database_replica_lag_seconds", "What the replica has not applied yet, in time.", lag);
  if (state) {
    gauge(
      "messages_oldest_due_seconds",
      "How long the oldest waiting message has been due; 0 if none is.",
      state.oldest_due_seconds ?? 0,
    );
    gauge("dispatch_age_seconds", "Since the last dispatch.", state.seconds_since_dispatch);
    gauge(
      "dispatch_off",
      "1 after a restore, until npm run resume.",
      Number(state.is_dispatch_off),
    );
    gauge("sweep_age_seconds", "Since the start of the last sweep.", state.seconds_since_sweep);
  }
  return registry.getMetricsAsJSON();
}

/** The last number read; null before the first. */
async function pendingEvents(): Promise<number | null> {
  const reading = oncePerProcess("metrics.depth", (): Reading => ({ value: null, nextAt: 0 }));
  if (performance.now() >= reading.nextAt) {
    reading.reading ??= read(reading).finally(() => {
      reading.reading = undefined;
    });
    // The read continues in the background; this scrape may return the last number.
    reading.reading.catch(() => {});
    await Promise.race([reading.reading, pause(DEPTH_WAIT_MS_MAX, undefined, { ref: false })]);
  }
  return reading.value;
}

interface Reading {
  value: number | null;
  /** When it may be read again, by this process's clock. */
  nextAt: number;
  reading?: Promise<void> | undefined;
}

async function read(reading: Reading) {
  const started = performance.now();
  try {
    // Reads all inboxes: an index on `occupied` would cost every write of an event.
    const row = await queryOne<{ pending: number }>(
      sql`SELECT /* asks every node */ coalesce(sum(occupied), 0)::bigint AS pending
          FROM inbox_state`,
    );
    reading.value = row?.pending ?? 0;
  } finally {
    const took = performance.now() - started;
    reading.nextAt = started + Math.max(took / DEPTH_SHARE, DEPTH_AGE_MS_MIN);
  }
}
