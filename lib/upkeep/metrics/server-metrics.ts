import { AggregatorRegistry, Gauge } from "prom-client";
import { onEveryProcess, onLeader } from "@/lib/platform/background/leader";
import { config } from "@/lib/platform/config/config";
import { pool } from "@/lib/platform/db/connections";
import { connectionSlotCounts } from "@/lib/platform/limits/connection-slots";
import { oncePerProcess } from "@/lib/platform/process";
import { metrics } from "@/lib/platform/telemetry/metrics";
import { serviceMetrics } from "./service-metrics";

/** The metrics of all processes and of the service, for Prometheus. Concurrent calls share them. */
export const serverMetrics = onLeader("metrics", async () => {
  running ??= render().finally(() => {
    running = undefined;
  });
  return running;
});

let running: Promise<string> | undefined;

/** The sum of processes that have ended. Without it a counter would fall, which looks like a restart. */
let ofEnded: object = [];
const COUNTERS = ["counter", "histogram"];

async function render(): Promise<string> {
  // On Vercel a scrape reaches one of many instances, whose counts mean nothing on their own.
  const processes = config().onVercel ? undefined : await processMetrics();
  if (processes && processes.ended.length > 0) {
    const counters = processes.ended.map((one) =>
      one.filter(({ type }) => COUNTERS.includes(String(type))),
    );
    ofEnded = await AggregatorRegistry.aggregate([ofEnded, ...counters]).getMetricsAsJSON();
  }
  const all = [...(processes?.running ?? []), ofEnded];
  // Read last, so that its queries do not count in the metrics above.
  return AggregatorRegistry.aggregate([...all, await serviceMetrics()]).metrics();
}

/** The metrics of each process of this server, as JSON. They can be added up. */
const processMetrics = onEveryProcess("metrics of the process", () => {
  addGauges();
  return metrics().registry.getMetricsAsJSON();
});

/** Gauges, read on each scrape. */
function addGauges() {
  oncePerProcess("metrics.gauges", () => {
    const registers = [metrics().registry];
    return [
      new Gauge({
        name: "server_processes",
        help: "Processes of this server.",
        registers,
        collect() {
          this.set(1);
        },
      }),
      new Gauge({
        name: "waiting_requests",
        help: "Requests that hold their connection, by kind: poll or stream.",
        labelNames: ["kind"],
        registers,
        collect() {
          for (const [kind, count] of Object.entries(connectionSlotCounts()))
            this.set({ kind }, count);
        },
      }),
      new Gauge({
        name: "database_pool_connections",
        help: "Database connections for statements and transactions, by state: busy or idle.",
        labelNames: ["state"],
        registers,
        collect() {
          const { totalCount, idleCount } = pool();
          this.set({ state: "busy" }, totalCount - idleCount);
          this.set({ state: "idle" }, idleCount);
        },
      }),
      new Gauge({
        name: "database_pool_waiting",
        help: "Statements and transactions that wait for a connection.",
        registers,
        collect() {
          this.set(pool().waitingCount);
        },
      }),
    ];
  });
}
