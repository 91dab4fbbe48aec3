import { AggregatorRegistry } from "prom-client";
import { onLeader } from "@/lib/platform/background/leader";
import { config } from "@/lib/platform/config/config";
import { processMetrics } from "./process-metrics";
import { serviceMetrics } from "./service-metrics";

/** The metrics of all processes and of the service, for Prometheus. Concurrent calls share them. */
export const serverMetrics = onLeader("metrics", async () => {
  running ??= render().finally(() => {
    running = undefined;
  });
  return running;
});

let running: Promise<string> | undefined;

async function render(): Promise<string> {
  // On Vercel a scrape reaches one of many instances, whose counts mean nothing on their own.
  const processes = config().onVercel ? [] : await processMetrics();
  // Read last, so that its queries do not count in the metrics above.
  return AggregatorRegistry.aggregate([...processes, await serviceMetrics()]).metrics();
}
