import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { config } from "@/lib/platform/config/config";
import { shutdown, stopping } from "@/lib/platform/process";
import { onSignal } from "@/lib/platform/signals";

export const DRAIN_MS = 20_000;
/** After this long without a request, proxies have detected that the server is stopping. */
const QUIET_MS = 500;
/** A server that gets no request within this time is unused, and does not wait longer. */
const UNUSED_MS = 100;
/** Clients that do not detect it are cut off. */
export const QUIET_WAIT_MS_MAX = 5000;
/** How long to wait after that for a turn of the event loop in which no connection arrives. */
const IDLE_TURN_WAIT_MS_MAX = 500;
/** Enough to close the database connections. */
const CLOSE_MS_MAX = 5000;

/** Whatever serves requests: this process or others. */
export interface Serving {
  /** Tells the other processes that the server will stop. */
  announceStop?(): void;
  /** Lets running requests finish. */
  stop(): Promise<void>;
}

/**
 * On the first SIGTERM or SIGINT the server stops being ready, but serves for
 * `SHUTDOWN_DELAY_SECONDS`. Then streams and long polls end, `stop` runs, and the process exits.
 * `announce` is called at once.
 */
export function onStop(stop: () => Promise<void>, announce = () => {}): void {
  let begun = false;
  const begin = async () => {
    if (begun) return;
    begun = true;
    shutdown.hasBegun = true;
    announce();
    await pause(config().shutdownDelaySeconds * 1000);
    stopping.abort();
    await stop().catch(console.error);
    process.exit(0);
  };
  onSignal(begin);
}

/** How long a process may take from the signal to its exit. */
export function stopMsMax(): number {
  return (
    config().shutdownDelaySeconds * 1000 +
    2 * (QUIET_WAIT_MS_MAX + IDLE_TURN_WAIT_MS_MAX) +
    DRAIN_MS +
    CLOSE_MS_MAX
  );
}

/**
 * Closes the server once no request has arrived for a moment, waits up to 20 seconds for running
 * requests, then closes their connections. Closing earlier would reset a connection that the kernel
 * has accepted but this process has not, or an idle one with a request on its way. A busy proxy
 * soon has no idle connections left, because each response closes one. It may never pause, so the
 * server closes in a turn of the event loop in which nothing arrived.
 */
export async function drain(server: Server, listening: NetServer[]): Promise<void> {
  await untilQuiet(server);
  // The `close` of an HTTP server would also close its idle connections.
  const { close } = NetServer.prototype;
  const closed = Promise.all(
    listening.map((one) => new Promise<void>((resolve) => close.call(one, () => resolve()))),
  );
  await untilQuiet(server);
  // A connection becomes idle when a response ends whose headers were sent before the stop.
  setInterval(async () => {
    await nextTurn();
    server.closeIdleConnections();
  }, 100).unref();
  await atMostDrainTime(closed);
  server.closeAllConnections();
}

async function untilQuiet(server: Server) {
  const deadline = performance.now() + QUIET_WAIT_MS_MAX;
  let quietAt = performance.now() + UNUSED_MS;
  let arrived = false;
  const note = () => {
    arrived = true;
    quietAt = performance.now() + QUIET_MS;
  };
  server.on("connection", note).on("request", note);
  do {
    await pause(UNUSED_MS / 4);
    // After a stall, timers run before what has arrived is read: one turn accepts a connection,
    // the next reads its request.
    await nextTurn();
    await nextTurn();
  } while (performance.now() < Math.min(quietAt, deadline));
  // More may arrive while this process serves what has arrived.
  do {
    arrived = false;
    await nextTurn();
  } while (arrived && performance.now() < deadline + IDLE_TURN_WAIT_MS_MAX);
  server.off("connection", note).off("request", note);
}

/** Waits for `work`, but no longer than for running requests. */
export async function atMostDrainTime(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, pause(DRAIN_MS, undefined, { ref: false })]);
}
