import { setTimeout as sleep } from "node:timers/promises";

/** Sorted durations in milliseconds, with pauses between. */
export async function timesOf(work: () => Promise<unknown>, rounds: number, pauseMs = 0) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (pauseMs > 0) await sleep(pauseMs);
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other);
}

/** A quantile of sorted numbers. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
