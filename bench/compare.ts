import { cpuMicrosOf } from "./cpu";
import type { Turn } from "./load";

const ROUNDS = 5;

export interface Contender {
  name: string;
  /** The process that does the work, and the one that it stores in, if any. */
  pid: number;
  storePid?: number;
  /** Preparation that is not measured. */
  before?(): Promise<unknown>;
  turn(): Promise<Turn>;
  after?(): Promise<unknown>;
}

/** Medians over all rounds. */
export interface Figure {
  name: string;
  perSecond: number;
  /** CPU time per operation, of the process alone and with its store. */
  micros: number;
  storedMicros: number;
}

/**
 * Gives each contender a turn in every round, so that a change in the machine's load affects all of
 * them alike. The first round warms up.
 */
export async function compare(contenders: Contender[], rounds = ROUNDS): Promise<Figure[]> {
  const turns = contenders.map((): Array<Omit<Figure, "name">> => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const turn = await measure(contender);
      if (round > 0) turns[index]?.push(turn);
    }
  }
  return contenders.map(({ name }, index) => {
    const of = (field: keyof Omit<Figure, "name">) =>
      median(turns[index]?.map((turn) => turn[field]) ?? []);
    return {
      name,
      perSecond: of("perSecond"),
      micros: of("micros"),
      storedMicros: of("storedMicros"),
    };
  });
}

async function measure({ pid, storePid, before, turn, after }: Contender) {
  await before?.();
  const [own, stored] = [cpuMicrosOf(pid), storePid ? cpuMicrosOf(storePid) : 0];
  const { operations, seconds } = await turn();
  const micros = (cpuMicrosOf(pid) - own) / operations;
  const storeMicros = storePid ? (cpuMicrosOf(storePid) - stored) / operations : 0;
  await after?.();
  return { perSecond: operations / seconds, micros, storedMicros: micros + storeMicros };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
