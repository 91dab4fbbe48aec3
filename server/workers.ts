import cluster, { type Worker } from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { config } from "@/lib/platform/config/config";
// Registers it with the other processes.
import "@/lib/upkeep/metrics/server-metrics";
import { handleCalls } from "@/lib/platform/background/leader";
import { OperatorError } from "@/lib/platform/operator-error";
import { logError } from "@/lib/platform/telemetry/log";
import { type Serving, stopMsMax } from "./stop";

/** A process that exits sooner is replaced after a pause. */
const YOUNG_MS = 10_000;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 5000;
/** How many processes in a row may exit before serving requests, before the server gives up. */
export const FAILED_STARTS_MAX = 5;

/**
 * Starts processes that serve requests on one port, and replaces those that exit. Throws
 * `OperatorError` if the first cannot start; calls `giveUp` if later ones repeatedly cannot.
 */
export async function startWorkers(
  count: number,
  giveUp: (error: OperatorError) => Promise<void>,
): Promise<Serving> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  handleCalls();
  const running = new Set<ServerProcess>();
  let stopping = false;
  let quickEnds = 0;
  let failedStarts = 0;

  // The first one alone, so that a port in use is reported only once.
  const first = launch();
  if (!(await first.listening)) {
    throw new OperatorError(`The server could not start: its first process ${first.end()}.`);
  }
  void keep(first);
  // Not awaited: the server is serving already, and from now on must stop in order.
  for (let other = 1; other < count; other += 1) void keep(launch());
  return { announceStop, stop };

  function launch(): ServerProcess {
    const launched = fork(count);
    running.add(launched);
    void launched.ended.then(() => running.delete(launched));
    return launched;
  }

  async function keep(kept: ServerProcess) {
    await kept.ended;
    if (stopping) return;
    failedStarts = (await kept.listening) ? 0 : failedStarts + 1;
    if (failedStarts >= FAILED_STARTS_MAX) {
      await stop();
      return giveUp(new OperatorError("The server stops, because its processes cannot start."));
    }
    quickEnds = performance.now() - kept.startedAt < YOUNG_MS ? quickEnds + 1 : 0;
    logError(`The server process ${kept.pid} ${kept.end()} and is replaced.`);
    if (quickEnds > 0) await pause(Math.min(PAUSE_MS_MIN * 2 ** (quickEnds - 1), PAUSE_MS_MAX));
    if (!stopping) void keep(launch());
  }

  function announceStop() {
    stopping = true;
    for (const { kill } of running) kill("SIGTERM");
  }

  async function stop() {
    stopping = true;
    await Promise.all([...running].map(stopProcess));
  }
}

interface ServerProcess {
  pid: number | undefined;
  startedAt: number;
  /** False if the worker exited before listening. */
  listening: Promise<boolean>;
  ended: Promise<void>;
  /** Describes how it ended. */
  end(): string;
  kill(signal: NodeJS.Signals): void;
}

function fork(processes: number): ServerProcess {
  const { databaseUrl, directUrl, databasePoolSize } = config();
  const worker = cluster.fork({
    DATABASE_URL: databaseUrl,
    DIRECT_URL: directUrl,
    DATABASE_POOL_SIZE: databasePoolSize,
    WEB_CONCURRENCY: processes,
  });
  const { process: child } = worker;
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => resolve());
    // The process could not be forked, or a message did not reach it, and an exit follows.
    worker.on("error", () => child.pid === undefined && resolve());
  });
  closeUntakenConnection(child, ended);
  return {
    pid: child.pid,
    startedAt: performance.now(),
    listening: Promise.race([
      new Promise<boolean>((resolve) => worker.once("listening", () => resolve(true))),
      ended.then(() => false),
    ]),
    ended,
    end: () =>
      child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${child.exitCode}`,
    kill: (signal) => void child.kill(signal),
  };
}

/** Node keeps a connection until a process takes it; one that has exited never would. */
function closeUntakenConnection(child: Worker["process"], ended: Promise<void>) {
  const send = child.send.bind(child) as (...all: unknown[]) => boolean;
  let last: { close?(): void } | undefined;
  child.send = (...all: unknown[]) => {
    if (all[1]) last = all[1];
    return send(...all);
  };
  void ended.then(() => last?.close?.());
}

async function stopProcess({ kill, ended }: ServerProcess) {
  kill("SIGTERM");
  const timer = setTimeout(kill, stopMsMax(), "SIGKILL");
  await ended;
  clearTimeout(timer);
}
