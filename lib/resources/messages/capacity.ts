import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";
import { type Busy, busyWith, NONE, type Queued } from "./turns";

/** Long enough for a lease to fill many slots, and short compared to a delivery. */
const GATHER_MS = 10;

/**
 * For how many lanes, and for how many queues, the last turn is remembered. Each lease sends them
 * all to the database.
 */
const LAST_TURNS_MAX = 1000;

interface Slots {
  running: Set<Queued>;
  /** The last turn of each lane and, as `lane host`, of each queue. */
  last: { lanes: Map<string, number>; queues: Map<string, number> };
  /** How many turns there have been. */
  turns: number;
  /** Running deliveries, including those whose result is still being written. */
  total: number;
  onRelease: () => void;
  nextRelease: Promise<void> | undefined;
  onNextRelease: () => void;
}

const slots = oncePerProcess<Slots>("messages.slots", () => ({
  running: new Set(),
  last: { lanes: new Map(), queues: new Map() },
  turns: 0,
  total: 0,
  onRelease: () => {},
  nextRelease: undefined,
  onNextRelease: () => {},
}));

/** The slots that this process's deliveries take. */
export function busyNow(): Busy {
  const { running, total, last } = slots;
  return { ...busyWith(NONE, [...running]), total, last };
}

/** Resolves once the next of this process's deliveries has released its slot. */
export function nextRelease(): Promise<void> {
  slots.nextRelease ??= new Promise((resolve) => {
    slots.onNextRelease = resolve;
  });
  return slots.nextRelease;
}

/** Waits briefly until half of the slots are free: leasing many costs little more than one. */
export async function slotsAvailable(): Promise<void> {
  if (slots.total === 0) return;
  const few = Math.floor(slots.total / 2);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, GATHER_MS);
    slots.onRelease = () => {
      if (slots.total > few) return;
      clearTimeout(timer);
      resolve();
    };
  });
  slots.onRelease = () => {};
}

interface Slot {
  /** The request has ended, which frees its lane and host while its result is written. */
  ended(): void;
  /** The result has been written, or never will be. */
  release(): void;
}

export function takeSlot(message: Queued): Slot {
  const { lane, host } = message;
  const turn = ++slots.turns;
  setBounded(slots.last.lanes, lane, turn, LAST_TURNS_MAX);
  setBounded(slots.last.queues, `${lane} ${host}`, turn, LAST_TURNS_MAX);
  slots.total++;
  slots.running.add(message);
  return {
    ended: () => void slots.running.delete(message),
    release() {
      slots.total--;
      slots.onRelease();
      slots.onNextRelease();
      slots.nextRelease = undefined;
    },
  };
}
