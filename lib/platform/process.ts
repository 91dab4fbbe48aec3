import { setMaxListeners } from "node:events";

/** Next bundles its own copy of `lib/`; all copies share state through this symbol. */
const shared = Symbol.for("agent-infrastructure");

const holder = globalThis as typeof globalThis & { [shared]?: Map<string, unknown> };

/**
 * A process-wide singleton, created by `make` on first use: the database pool, the parsed
 * configuration, counters. Module scope would create one per copy of `lib/`.
 */
export function oncePerProcess<T>(name: string, make: () => T): T {
  holder[shared] ??= new Map();
  const values = holder[shared];
  if (!values.has(name)) values.set(name, make());
  // Each name has a single caller, so the type is that caller's.
  return values.get(name) as T;
}

/** Whether `npm start` serves the requests, and not Next alone. Set before Next is loaded. */
export const ownServer = oncePerProcess("own server", () => ({ isRunning: false }));

/** Whether the server is stopping. It keeps serving until `stopping` aborts. */
export const shutdown = oncePerProcess("shutdown", () => ({ hasBegun: false }));

/** Aborts on shutdown: long polls and streams end, so that connections can close. */
export const stopping = oncePerProcess("stopping", () => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
});
