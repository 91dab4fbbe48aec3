import type { Call } from "../log";
import { type Check, callsOf, doubles, listedBy, madeBy, type Violation, violation } from "./check";
import { holdsOf, overtaken, twoHolders } from "./holders";

const OPS = { grant: "lease", extend: "extend", end: ["release", "complete"] } as const;
/** IDs have the time of their process, whose clocks differ by less unless a test moves one. */
const CLOCKS_MS = 50;

/** Writes with `If-Match`: a task goes from version to version, and no read shows an older one. */
export const registers: Check = (all) => {
  const tasks = new Set(callsOf(all, "read").map(({ on }) => on));
  return [...tasks].flatMap((task) => checkRegister(all.filter(({ on }) => on === task)));
};

function checkRegister(calls: readonly Call[]): Violation[] {
  const tags = new Map<string, string>();
  for (const { found } of callsOf(calls, "read", "write")) {
    for (const { id, value } of found) tags.set(value ?? "", id);
  }
  const found: Violation[] = [];
  const next = new Map<string, Call>();
  for (const write of callsOf(calls, "write")) {
    // One without a response has happened if somebody read it.
    if (!tags.has(write.value ?? "")) continue;
    if (write.outcome === "refused") {
      found.push(violation("wrong", `${write.value} was refused and written.`, write.value));
    }
    const other = next.get(write.id ?? "");
    if (other) {
      const what = `${write.value} and ${other.value} both replaced the same version.`;
      found.push(violation("double", what, write.value, other.value));
    }
    next.set(write.id ?? "", write);
  }
  const versions = new Map<string, number>();
  let tag = tags.get("");
  for (let version = 0; tag !== undefined && !versions.has(tag); version += 1) {
    versions.set(tag, version);
    tag = tags.get(next.get(tag)?.value ?? "nothing");
  }
  const seen = callsOf(calls, "read", "write").flatMap((call) => {
    const version = versions.get(call.found[0]?.id ?? "");
    return version === undefined ? [] : [{ call, version }];
  });
  for (const { call, version } of seen) {
    const newer = seen.find(
      (other) =>
        other.call.ended < call.began &&
        (other.version > version || (call.op === "write" && other.version === version)),
    );
    if (newer) {
      const what = `${call.op} by ${call.client} had version ${version} after ${newer.version}.`;
      found.push(violation("order", what, call.found[0]?.value, newer.call.found[0]?.value));
    }
  }
  return found;
}

/** Tasks to lease: one holder each, by urgency, and done once. */
export const pool: Check = (calls) => {
  const offered = madeBy(calls, "offer");
  const listed = listedBy(calls, "pooled");
  const found: Violation[] = [];
  for (const { made, value } of listed ? offered : []) {
    if (!listed?.some(({ id }) => id === made)) {
      found.push(violation("lost", `The task ${made} is gone.`, made, value));
    }
  }
  for (const done of callsOf(calls, "complete").filter(({ outcome }) => outcome === "ok")) {
    const task = listed?.find(({ id }) => id === done.id);
    if (task?.turn === 0) found.push(violation("lost", `${done.id} is not done.`, done.id));
    const again = holdsOf(calls, OPS).find(
      ({ item, began }) => item === done.id && began > done.ended,
    );
    if (again) {
      found.push(
        violation("double", `${done.id} was leased when it was done.`, done.id, again.lease),
      );
    }
  }
  const ids = offered.map(({ made, value }) => ({ id: made, value }));
  found.push(...doubles([...ids, ...(listed ?? [])]), ...twoHolders(calls, OPS));
  const waiting = offered.map(({ made, began, ended, rank = 0 }) => ({
    id: made,
    rank,
    began,
    ended,
  }));
  type One = (typeof waiting)[number];
  const moves = callsOf(calls, "fault").filter(({ on }) => on === "clock step");
  const moved = Math.min(...moves.map(({ began }) => began));
  const isBefore = (one: One, other: One) =>
    one.rank < other.rank ||
    (one.rank === other.rank && one.ended < moved && one.ended + CLOCKS_MS < other.began);
  return [...found, ...overtaken(calls, holdsOf(calls, OPS), waiting, isBefore)];
};
