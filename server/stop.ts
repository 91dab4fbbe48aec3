import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { stopping as stoppingSignal } from "@/lib/process";

const DRAIN_MS = 20_000;

/** On the first SIGTERM or SIGINT, runs `stop` and exits. */
export function onStop(stop: () => Promise<void>): void {
  let stopping = false;
  const begin = async () => {
    if (stopping) return;
    stopping = true;
    stoppingSignal().abort();
    await stop().catch(console.error);
    process.exit(0);
  };
  process.on("SIGTERM", begin);
  process.on("SIGINT", begin);
}

/** Waits up to 20 seconds for running requests, then closes their connections. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A polling page would keep its connection open until the deadline.
  setInterval(() => server.closeIdleConnections(), 100).unref();
  await atMostDrainTime(closed);
  server.closeAllConnections();
}

/** Waits for `work`, but not longer than for running requests. */
export async function atMostDrainTime(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, pause(DRAIN_MS, undefined, { ref: false })]);
}
