import { setTimeout as pause } from "node:timers/promises";

/** Durations in milliseconds, with pauses between. */
export async function timesOf(work: () => Promise<unknown>, rounds: number, pauseMs = 0) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (pauseMs > 0) await pause(pauseMs);
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
