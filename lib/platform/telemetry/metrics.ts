import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { oncePerProcess } from "@/lib/platform/process";

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ATTEMPT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const BATCH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const BATCH_ITEMS = [1, 2, 5, 10, 20, 50, 100, 200];
/** Each sample wakes the process: at the default of 10 ms it was half of an idle server's work. */
const EVENT_LOOP_SAMPLED_EVERY_MS = 50;

/** The metrics of this process. Label values come from fixed sets, never from input. */
export function metrics() {
  return oncePerProcess("metrics", makeMetrics);
}

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLED_EVERY_MS,
  });
  // Sums of other metrics, with names that Prometheus reserves for counters.
  for (const name of ["handles", "requests", "resources"]) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  }
  return {
    registry,
    requests: new Counter({
      name: "http_requests_total",
      help: "Answered requests, by operation (or page) and status.",
      labelNames: ["operation", "status"] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: "http_request_duration_seconds",
      help: "Time to the response, without long polls and streams.",
      labelNames: ["operation"] as const,
      buckets: REQUEST_SECONDS,
      registers,
    }),
    batchItems: new Histogram({
      name: "database_batch_items",
      help: "How many requests share a statement, by kind: read or write.",
      labelNames: ["kind"] as const,
      buckets: BATCH_ITEMS,
      registers,
    }),
    batchSeconds: new Histogram({
      name: "database_batch_duration_seconds",
      help: "Time of such a statement.",
      labelNames: ["kind"] as const,
      buckets: BATCH_SECONDS,
      registers,
    }),
    listReads: new Counter({
      name: "database_list_reads_total",
      help: "Statements of lists, searches and the overview, by source: replica or primary.",
      labelNames: ["source"] as const,
      registers,
    }),
    attempts: new Counter({
      name: "message_attempts_total",
      help: "Attempts to deliver a message, by outcome: delivered, http_4xx, timeout, and so on.",
      labelNames: ["outcome"] as const,
      registers,
    }),
    attemptSeconds: new Histogram({
      name: "message_attempt_duration_seconds",
      help: "Time of an attempt.",
      buckets: ATTEMPT_SECONDS,
      registers,
    }),
    swept: new Counter({
      name: "sweep_removed_rows_total",
      help: "Expired rows that sweeps removed, by kind.",
      labelNames: ["kind"] as const,
      registers,
    }),
    unfinishedSweeps: new Counter({
      name: "sweep_unfinished_total",
      help: "Sweeps that used up their time and left rows for the next.",
      registers,
    }),
  };
}
