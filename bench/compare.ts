import { cpuMicrosOf } from "./cpu";
import type { Turn } from "./load";
import { median } from "./times";

const ROUNDS = 9;
/** A server is compiled after about 3000 requests of a kind, and then needs half the CPU time. */
const WARM_UP_REQUESTS = 4000;
const WARM_UP_TURNS = { min: 2, max: 8 };

export interface Contender {
  name: string;
  /** The process that does the work, and those that it stores in, if any. */
  pid: number;
  storePid?: number | number[];
  /** Preparation that is not measured. */
  before?(): Promise<unknown>;
  turn(): Promise<Turn>;
  after?(): Promise<unknown>;
}

export interface Figure {
  name: string;
  /** The median over all rounds. */
  perSecond: number;
  /** CPU time per operation, of the process alone and with its store. */
  micros: number;
  storedMicros: number;
}

/**
 * Gives each contender a short turn in every round, so that a change in the machine's load affects
 * all of them alike. Before, each warms up.
 */
export async function compare(contenders: Contender[], rounds = ROUNDS): Promise<Figure[]> {
  const measured = contenders.map((contender) => ({ contender, turns: [] as Measured[] }));
  for (const contender of contenders) await warmUp(contender);
  for (let round = 0; round < rounds; round++) {
    for (const { contender, turns } of measured) turns.push(await measure(contender));
  }
  return measured.map(({ contender: { name }, turns }) => {
    const sum = (field: "operations" | "micros" | "storeMicros") =>
      turns.reduce((total, turn) => total + turn[field], 0);
    const micros = sum("micros") / sum("operations");
    return {
      name,
      perSecond: median(turns.map(({ operations, seconds }) => operations / seconds)),
      micros,
      storedMicros: micros + sum("storeMicros") / sum("operations"),
    };
  });
}

async function warmUp(contender: Contender) {
  const { min, max } = WARM_UP_TURNS;
  for (let turns = 0, done = 0; turns < min || (turns < max && done < WARM_UP_REQUESTS); turns++) {
    const { operations, requests = operations } = await measure(contender);
    done += requests;
  }
}

interface Measured extends Turn {
  micros: number;
  storeMicros: number;
}

async function measure({ pid, storePid = [], before, turn, after }: Contender): Promise<Measured> {
  const stored = () => [storePid].flat().reduce((sum, store) => sum + cpuMicrosOf(store), 0);
  await before?.();
  const own = cpuMicrosOf(pid);
  const store = stored();
  const done = await turn();
  const micros = cpuMicrosOf(pid) - own;
  const storeMicros = stored() - store;
  await after?.();
  return { ...done, micros, storeMicros };
}
