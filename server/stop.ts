import type { Server } from "node:http";
import { stopping as stoppingSignal } from "@/lib/process";

const DRAIN_MS = 20_000;

/** On SIGTERM or SIGINT lets running requests end, 20 seconds at most, then runs `finish` and exits. */
export function onStop(server: Server, finish: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    stoppingSignal().abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearTimeout(deadline);
    await finish().catch(console.error);
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
