import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";
import type { LeasedMessage, Room } from "./lease";

/** Consecutive connection failures after which a host is only probed. */
const CONSECUTIVE_FAILURES_MAX = 3;

/** Long enough for one lease to fill many slots, short beside a delivery over a network. */
const GATHER_MS = 10;

/** This process's running deliveries and recently unreachable hosts. */
interface Slots {
  /** Running deliveries, and those whose result is still being written. */
  total: number;
  onRelease: () => void;
  lanes: Map<string, number>;
  hosts: Map<string, number>;
  consecutiveFailures: Map<string, number>;
}

function slots(): Slots {
  return oncePerProcess("messages.slots", () => ({
    total: 0,
    onRelease: () => {},
    lanes: new Map(),
    hosts: new Map(),
    consecutiveFailures: new Map(),
  }));
}

/**
 * How many more deliveries may start. An unreachable host gets one probe at a time, and none if it
 * was `probed` in the same dispatch.
 */
export function availableRoom(probed: ReadonlySet<string>): Room {
  const { deliveriesMax, deliveriesPerOrganizationMax, deliveriesPerHostMax } = config();
  const { total, lanes, hosts, consecutiveFailures } = slots();
  const hostRoom = new Map<string, number>();
  for (const [host, count] of hosts) hostRoom.set(host, Math.max(deliveriesPerHostMax - count, 0));
  for (const host of consecutiveFailures.keys()) {
    if (isUnreachable(host)) {
      hostRoom.set(host, probed.has(host) || hosts.has(host) ? 0 : 1);
    }
  }
  return {
    total: Math.max(deliveriesMax - total, 0),
    lanes: new Map(
      [...lanes].map(([lane, count]) => [lane, Math.max(deliveriesPerOrganizationMax - count, 0)]),
    ),
    hosts: hostRoom,
  };
}

export function isUnreachable(host: string): boolean {
  return (slots().consecutiveFailures.get(host) ?? 0) >= CONSECUTIVE_FAILURES_MAX;
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
  /** The request has ended, so its organization and host have room while its result is written. */
  ended(unreachable: boolean): void;
  /** The result has been written, or never will be. */
  release(): void;
}

export function occupy({ lane, host }: LeasedMessage): Slot {
  const current = slots();
  current.total++;
  add(current.lanes, lane, 1);
  add(current.hosts, host, 1);
  return {
    ended(unreachable) {
      add(current.lanes, lane, -1);
      add(current.hosts, host, -1);
      if (unreachable) add(current.consecutiveFailures, host, 1);
      else current.consecutiveFailures.delete(host);
    },
    release() {
      current.total--;
      current.onRelease();
    },
  };
}

function add(counts: Map<string, number>, key: string, difference: number) {
  const count = (counts.get(key) ?? 0) + difference;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
