/**
 * A signal that is aborted by Ctrl-C or another signal that ends a process, so that work in hand can
 * be finished. A second one runs `onSecond`.
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
