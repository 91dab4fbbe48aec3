/** One Ctrl-C may arrive twice, from the terminal and from npm. Nobody presses it again this soon. */
const SAME_SIGNAL_MS = 200;

/**
 * A signal that aborts on Ctrl-C or another signal that ends a process, so that current work can be
 * finished. Each further one runs `onMore`.
 */
export function watchInterruption(onMore: () => void): AbortSignal {
  const controller = new AbortController();
  let last = Number.NEGATIVE_INFINITY;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      const isSame = performance.now() - last < SAME_SIGNAL_MS;
      last = performance.now();
      if (isSame) return;
      if (controller.signal.aborted) onMore();
      else controller.abort();
    });
  }
  return controller.signal;
}
