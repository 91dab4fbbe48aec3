import { oncePerProcess } from "@/lib/platform/process";

interface Runs {
  last: Promise<void>;
  /** The run that calls made during the last one wait for. */
  next: Promise<void> | undefined;
}

/**
 * Wraps a job so that it never overlaps itself for the same key: all calls during a run share one
 * more run after it. The promise is that of the run. `name` must be unique.
 */
export function coalesced<Key = void>(
  name: string,
  job: (key: Key) => Promise<void>,
): (key: Key) => Promise<void> {
  const all = oncePerProcess(`coalesced.${name}`, () => new Map<Key, Runs>());
  return (key) => {
    const runs: Runs = all.get(key) ?? { last: Promise.resolve(), next: undefined };
    all.set(key, runs);
    runs.next ??= runs.last
      .catch(() => {})
      .then(() => {
        runs.next = undefined;
        runs.last = job(key);
        return runs.last;
      })
      .finally(() => {
        if (!runs.next) all.delete(key);
      });
    return runs.next;
  };
}
