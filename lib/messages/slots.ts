import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";
import type { LeasedMessage, Room } from "./lease";

/** Connection failures in a run after which a host is only probed. */
const FAILURES_IN_A_RUN = 3;

/** What this process is delivering now, and which hosts it could not reach lately. */
interface Slots {
  total: number;
  lanes: Map<string, number>;
  hosts: Map<string, number>;
  failuresInARun: Map<string, number>;
}

function slots(): Slots {
  return oncePerProcess("messages.slots", () => ({
    total: 0,
    lanes: new Map(),
    hosts: new Map(),
    failuresInARun: new Map(),
  }));
}

/**
 * The room that is left. A host that could not be reached gets one message at a time as a probe, and
 * none after it was `probed` in the same dispatch.
 */
export function roomLeft(probed: ReadonlySet<string>): Room {
  const { deliveriesMax, deliveriesPerOrganizationMax, deliveriesPerHostMax } = config();
  const { total, lanes, hosts, failuresInARun } = slots();
  const hostRoom = new Map<string, number>();
  for (const [host, count] of hosts) hostRoom.set(host, Math.max(deliveriesPerHostMax - count, 0));
  for (const host of failuresInARun.keys()) {
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
  return (slots().failuresInARun.get(host) ?? 0) >= FAILURES_IN_A_RUN;
}

/** Takes a slot; the returned function gives it back, told whether the host could not be reached. */
export function occupy({ lane, host }: LeasedMessage): (unreachable: boolean) => void {
  const taken = slots();
  taken.total++;
  add(taken.lanes, lane, 1);
  add(taken.hosts, host, 1);
  return (unreachable) => {
    taken.total--;
    add(taken.lanes, lane, -1);
    add(taken.hosts, host, -1);
    if (unreachable) add(taken.failuresInARun, host, 1);
    else taken.failuresInARun.delete(host);
  };
}

function add(counts: Map<string, number>, key: string, difference: number) {
  const count = (counts.get(key) ?? 0) + difference;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
