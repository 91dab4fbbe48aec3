import { constants } from "node:os";

type Handler = (signal: NodeJS.Signals) => void;

let current: Handler | undefined;

/** Calls `handler` on SIGINT and SIGTERM, in place of any earlier one. */
export function onSignal(handler: Handler): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (current) process.off(signal, current);
    process.on(signal, handler);
  }
  current = handler;
}

/**
 * Stops `starting` on SIGINT or SIGTERM, and exits: a server with 0, a command with 128 plus the
 * signal's number. Returns a function that stops it. After a signal that function never resolves, so
 * the caller reports no errors that the stop caused.
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
