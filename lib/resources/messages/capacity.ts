import { oncePerProcess } from "@/lib/platform/process";
import { type Busy, busyWith, NONE, type Queued } from "./turns";

/** Long enough for one lease to fill many slots, short beside a delivery over a network. */
const GATHER_MS = 10;

interface Slots {
  running: Set<Queued>;
  /** Running deliveries, and those whose result is still being written. */
  total: number;
  onRelease: () => void;
}

function slots(): Slots {
  return oncePerProcess("messages.slots", () => ({
    running: new Set(),
    total: 0,
    onRelease: () => {},
  }));
}

/** What this process's deliveries take up. */
export function busyNow(): Busy {
  const { running, total } = slots();
  return { ...busyWith(NONE, [...running]), total };
}

/**
 * Waits until half of the slots in use are free, but not for long: leasing one message costs almost
 * as much as leasing many.
 */
export async function untilRoomy(): Promise<void> {
  const current = slots();
  if (current.total === 0) return;
  const few = Math.floor(current.total / 2);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, GATHER_MS);
    current.onRelease = () => {
      if (current.total > few) return;
      clearTimeout(timer);
      resolve();
    };
  });
  current.onRelease = () => {};
}

interface Slot {
  /** The request has ended, so its lane and host have room while its result is written. */
  ended(): void;
  /** The result has been written, or never will be. */
  release(): void;
}

export function occupy(message: Queued): Slot {
  const current = slots();
  current.total++;
  current.running.add(message);
  return {
    ended: () => void current.running.delete(message),
    release() {
      current.total--;
      current.onRelease();
    },
  };
}
