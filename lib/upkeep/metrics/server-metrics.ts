import { AggregatorRegistry } from "prom-client";
import { inPrimary } from "@/lib/platform/background/primary";
import { config } from "@/lib/platform/config/config";
import { metricsOfProcesses } from "./of-process";
import { metricsOfService } from "./of-service";

/**
 * The metrics of this server's processes together and of the service, in Prometheus' text format.
 * Concurrent calls share one result.
 */
export const metricsOfServer = inPrimary("metrics", async () => {
  running ??= render().finally(() => {
    running = undefined;
  });
  return running;
});

let running: Promise<string> | undefined;

async function render(): Promise<string> {
  // On Vercel a scrape reaches one of many instances, whose counts mean nothing alone.
  const ofProcesses = config().onVercel ? [] : await metricsOfProcesses();
  // Read last, so that its own queries do not count in the metrics above.
  return AggregatorRegistry.aggregate([...ofProcesses, await metricsOfService()]).metrics();
}
