import { setTimeout as pause } from "node:timers/promises";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";
import { adoptTracer } from "./trace";

/** A collector that does not respond must not delay the exit of the process. */
const FLUSH_MS_MAX = 2000;

/**
 * Exports traces if `OTEL_EXPORTER_OTLP_ENDPOINT` is set, loading what that needs. Runs once per
 * process; returns a function that sends the last spans.
 */
export function startTracing(): Promise<() => Promise<void>> {
  return oncePerProcess("tracing.started", async () => {
    if (config().otlpEndpoint === undefined) return async () => {};
    const { openTelemetry } = await import("./open-telemetry");
    const { start, stop } = openTelemetry();
    adoptTracer(start);
    return () =>
      Promise.race([stop().catch(() => {}), pause(FLUSH_MS_MAX, undefined, { ref: false })]);
  });
}
