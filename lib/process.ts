import { setMaxListeners } from "node:events";

/** Next bundles a copy of `lib/` of its own; this symbol is where all copies meet. */
const shared = Symbol.for("agent-infrastructure");

const holder = globalThis as typeof globalThis & { [shared]?: Map<string, unknown> };

/**
 * What `make` gave the first time that `name` was asked for in this process: the database pool, the
 * parsed configuration, counters. Module scope would make one for each copy of `lib/`.
 */
export function oncePerProcess<T>(name: string, make: () => T): T {
  holder[shared] ??= new Map();
  const values = holder[shared];
  if (!values.has(name)) values.set(name, make());
  // A name is used by one caller only, so what it holds is what that caller made.
  return values.get(name) as T;
}

/** Aborts when the process has been told to stop: what waits for news ends, so that connections can close. */
export function stopping(): AbortController {
  return oncePerProcess("stopping", () => {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    return controller;
  });
}
