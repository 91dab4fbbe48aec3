import { oncePerProcess } from "@/lib/platform/process";

/** After so many connection failures in a row, a sender's retries to a host are only probes. */
export const FAILURES_MAX = 3;
/** A sender that has not tried a host for this long no longer counts as failing there. */
const MEMORY_MS = 60_000;

/** One sender's messages to one host, whose retries wait. */
export interface HeldQueue {
  host: string;
  lane: string;
}

/** The senders for whom this process could not connect to a host, by host. */
const hosts = oncePerProcess<Map<string, Map<string, { failures: number; triedAt: number }>>>(
  "messages.unreachable",
  () => new Map(),
);

/** Records whether the message's host could be reached. A success clears it for all senders. */
export function noteConnection({ host, lane }: HeldQueue, connected: boolean): void {
  if (connected) {
    hosts.delete(host);
    return;
  }
  const lanes = hosts.get(host) ?? new Map();
  const failures = (lanes.get(lane)?.failures ?? 0) + 1;
  hosts.set(host, lanes.set(lane, { failures, triedAt: performance.now() }));
}

/** The queues whose retries wait for a probe, the longest waiting sender's first. */
export function heldQueues(): HeldQueue[] {
  const oldest = performance.now() - MEMORY_MS;
  const held: (HeldQueue & { triedAt: number })[] = [];
  for (const [host, lanes] of hosts) {
    for (const [lane, { failures, triedAt }] of lanes) {
      if (triedAt < oldest) lanes.delete(lane);
      else if (failures >= FAILURES_MAX) held.push({ host, lane, triedAt });
    }
    if (lanes.size === 0) hosts.delete(host);
  }
  return held.sort((one, other) => one.triedAt - other.triedAt);
}
