import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { stopping as stoppingSignal } from "@/lib/process";

const DRAIN_MS = 20_000;

/**
 * On SIGTERM or SIGINT, calls `begin`, waits up to 20 seconds for it and for running requests, then
 * runs `finish` and exits.
 */
export function onStop(
  server: Server,
  { begin, finish }: { begin(): Promise<void>; finish(): Promise<void> },
): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    stoppingSignal().abort();
    const begun = begin();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // A polling page would keep its connection open until the deadline.
    setInterval(() => server.closeIdleConnections(), 100).unref();
    const deadline = pause(DRAIN_MS, undefined, { ref: false }).then(() =>
      server.closeAllConnections(),
    );
    await Promise.race([Promise.all([closed, begun]), deadline]);
    await finish().catch(console.error);
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
