import type { Call } from "../log";
import { callsOf, grouped, isDisturbed, type Violation, violation } from "./check";

/** Leases end to the second, so one may be up to a second shorter than asked for. */
const ROUNDING_MS = 1000;

interface Hold {
  item: string;
  lease: string;
  turn: number;
  /** It was granted between these. */
  began: number;
  ended: number;
  /** It certainly lasted until then. */
  until: number;
  grant: Call;
}

interface Ops {
  grant: string;
  extend: string;
  /** Those that end a lease. */
  end: readonly string[];
}

/** The leases that were granted, as far as clients know. */
export function holdsOf(calls: readonly Call[], ops: Ops): Hold[] {
  const holds = new Map<string, Hold>();
  for (const grant of callsOf(calls, ops.grant)) {
    for (const { id, lease, turn } of grant.found) {
      if (!lease || turn === undefined || holds.has(lease)) continue;
      // A repeat with the same key shows a lease that the first call may have taken.
      const repeats = grant.value
        ? callsOf(calls, ops.grant).filter(({ value }) => value === grant.value)
        : [grant];
      const began = Math.min(...repeats.map((call) => call.began));
      const until = began + (grant.seconds ?? 0) * 1000 - ROUNDING_MS;
      holds.set(lease, { item: id, lease, turn, began, ended: grant.ended, until, grant });
    }
  }
  for (const call of calls) {
    const hold = call.lease === undefined ? undefined : holds.get(call.lease);
    if (!hold || call.outcome === "refused") continue;
    const renewed = call.began + (call.seconds ?? 0) * 1000 - ROUNDING_MS;
    if (ops.end.includes(call.op)) hold.until = Math.min(hold.until, call.began);
    else if (call.op === ops.extend) {
      hold.until = call.outcome === "ok" ? renewed : Math.min(hold.until, renewed);
    }
  }
  return [...holds.values()];
}

/** Two workers held one item, or one that had lost its lease was believed. */
export function twoHolders(calls: readonly Call[], ops: Ops): Violation[] {
  const holds = holdsOf(calls, ops);
  const byItem = grouped(holds, ({ item }) => item);
  const found: Violation[] = [];
  for (const [item, [...all]] of byItem) {
    all.sort((one, other) => one.turn - other.turn);
    for (const [place, later] of all.entries()) {
      for (const earlier of all.slice(0, place)) {
        const leases = [item, earlier.lease, later.lease];
        if (earlier.turn === later.turn) {
          found.push(violation("two holders", `${item} was leased twice in one turn.`, ...leases));
        } else if (later.ended < earlier.until) {
          const what = `${item} was leased while another lease of it lasted.`;
          found.push(violation("two holders", what, ...leases));
        } else if (later.ended < earlier.began) {
          found.push(violation("order", `The turns of ${item} fell.`, ...leases));
        }
      }
    }
  }
  for (const call of callsOf(calls, ops.extend, ...ops.end)) {
    const own = holds.find(({ lease }) => lease === call.lease);
    if (!own || call.outcome !== "ok") continue;
    const later = byItem
      .get(own.item)
      ?.find((hold) => hold.turn > own.turn && hold.ended < call.began);
    // Completing what is done changes nothing, whoever asks for it.
    const isDone = callsOf(calls, "complete").some(
      (other) => other.id === own.item && other.lease !== own.lease && other.outcome !== "refused",
    );
    if (later && !(call.op === "complete" && isDone)) {
      const what = `${call.op} of ${own.item} was accepted after its lease was lost.`;
      found.push(violation("two holders", what, own.item, own.lease, later.lease));
    }
  }
  return found;
}

interface Waiting {
  id: string;
  rank: number;
  /** When it was made. */
  began: number;
  ended: number;
}

/**
 * Something was leased for the first time although another came before it and was free all the time.
 * `isBefore` says which of two comes first.
 */
export function overtaken(
  calls: readonly Call[],
  holds: readonly Hold[],
  waiting: readonly Waiting[],
  isBefore: (one: Waiting, other: Waiting) => boolean,
): Violation[] {
  const firsts = new Map(holds.filter(({ turn }) => turn === 1).map((hold) => [hold.item, hold]));
  const queue = waiting.flatMap((one) => {
    const hold = firsts.get(one.id);
    return hold ? [{ ...one, hold }] : [];
  });
  const found: Violation[] = [];
  for (const late of queue) {
    for (const early of queue) {
      const isFree = early.ended < late.hold.began && early.hold.began > late.hold.ended;
      if (isFree && isBefore(early, late) && !isDisturbed(calls, late.hold.grant)) {
        const what = `${late.id} was leased although ${early.id} came first and was free.`;
        found.push(violation("order", what, late.id, early.id));
      }
    }
  }
  return found;
}
