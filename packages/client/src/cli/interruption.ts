/**
 * A signal that aborts on Ctrl-C or another signal that ends a process, so that current work can be
 * finished. A second one runs `onSecond`.
 */
export function watchInterruption(onSecond: () => void): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) onSecond();
      else controller.abort();
    });
  }
  return controller.signal;
}
