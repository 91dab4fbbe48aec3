import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";
import type { LeasedMessage, Room } from "./lease";

/** Consecutive connection failures after which a host is only probed. */
const CONSECUTIVE_FAILURES_MAX = 3;

/** This process's running deliveries and recently unreachable hosts. */
interface Slots {
  total: number;
  lanes: Map<string, number>;
  hosts: Map<string, number>;
  consecutiveFailures: Map<string, number>;
}

function slots(): Slots {
  return oncePerProcess("messages.slots", () => ({
    total: 0,
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

/** Takes a slot. The returned function releases it and reports whether the host was unreachable. */
export function occupy({ lane, host }: LeasedMessage): (unreachable: boolean) => void {
  const current = slots();
  current.total++;
  add(current.lanes, lane, 1);
  add(current.hosts, host, 1);
  return (unreachable) => {
    current.total--;
    add(current.lanes, lane, -1);
    add(current.hosts, host, -1);
    if (unreachable) add(current.consecutiveFailures, host, 1);
    else current.consecutiveFailures.delete(host);
  };
}

function add(counts: Map<string, number>, key: string, difference: number) {
  const count = (counts.get(key) ?? 0) + difference;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
