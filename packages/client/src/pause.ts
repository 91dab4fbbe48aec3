/** A longer timer would fire at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Waits; throws the signal's reason as soon as it aborts. `inBackground`, it does not keep the process
 * running.
 */
export function pause(
  milliseconds: number,
  signal?: AbortSignal,
  inBackground = false,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(milliseconds, TIMER_MS_MAX),
    );
    if (inBackground) timer.unref?.();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
