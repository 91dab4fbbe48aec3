import { constants } from "node:os";

type Handler = (signal: NodeJS.Signals) => void;

let current: Handler | undefined;

/** Calls `handler` on SIGINT and SIGTERM, and no longer the one that was passed before. */
export function onSignal(handler: Handler): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (current) process.off(signal, current);
    process.on(signal, handler);
  }
  current = handler;
}

/**
 * On SIGINT or SIGTERM, stops what is starting or has started, and exits: a server with 0, a command,
 * which has not done its work, as shells report the signal. Returns a function that stops it. After a
 * signal that one never returns, so that nothing reports what the stop broke off.
 */
export function stopOnSignal(
  starting?: Promise<{ stop(): Promise<void> }>,
  { server = false } = {},
): () => Promise<void> {
  const stop = async () => (await starting?.catch(() => undefined))?.stop();
  let exiting: Promise<never> | undefined;
  onSignal((signal) => {
    exiting ??= stop()
      .catch(console.error)
      .then(() => process.exit(server ? 0 : 128 + constants.signals[signal]));
  });
  return () => exiting ?? stop();
}
