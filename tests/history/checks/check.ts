import type { Call, Found } from "../log";

export interface Violation {
  kind: "lost" | "double" | "two holders" | "order" | "gap" | "wrong";
  what: string;
  /** IDs and values that it concerns, the main one first. */
  about: string[];
}

/** Finds what breaks a promise. Works on any part of a log, so that a log can be cut down. */
export type Check = (calls: readonly Call[]) => Violation[];

export function violation(
  kind: Violation["kind"],
  what: string,
  ...about: (string | undefined)[]
): Violation {
  return { kind, what, about: about.filter((name) => name !== undefined) };
}

export function callsOf(calls: readonly Call[], ...ops: string[]): Call[] {
  return calls.filter(({ op }) => ops.includes(op));
}

/** Like `Map.groupBy`, which Node.js 20 does not have. */
export function grouped<T, Key>(all: readonly T[], keyOf: (one: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** What a list at the end showed; undefined if there is none. */
export function listedBy(calls: readonly Call[], op: string, on?: string): Found[] | undefined {
  return calls.find((call) => call.op === op && call.outcome === "ok" && (!on || call.on === on))
    ?.found;
}

/** Intended effects that were made twice: a value with two IDs. */
export function doubles(pairs: readonly { id: string; value?: string | undefined }[]): Violation[] {
  const first = new Map<string, string>();
  const found = new Map<string, Violation>();
  for (const { id, value } of pairs) {
    if (!value) continue;
    const known = first.get(value) ?? id;
    first.set(value, known);
    if (known !== id) {
      found.set(
        value,
        violation("double", `One request made ${known} and ${id}.`, value, known, id),
      );
    }
  }
  return [...found.values()];
}

export interface Made extends Call {
  made: string;
}

/**
 * What was made, once each: between the beginning of the first call with its value and the end of the
 * first one that succeeded.
 */
export function madeBy(calls: readonly Call[], ...ops: string[]): Made[] {
  const tries = callsOf(calls, ...ops);
  const answered = tries.flatMap((call) =>
    call.outcome === "ok" && call.found[0] ? [{ ...call, made: call.found[0].id }] : [],
  );
  return [...grouped(answered, ({ made }) => made).values()].flatMap((same) => {
    const [one] = same;
    const repeats = tries.filter(({ value }) => value === one?.value);
    const began = Math.min(...repeats.map((call) => call.began));
    return one ? [{ ...one, began, ended: Math.min(...same.map((call) => call.ended)) }] : [];
  });
}

/**
 * The list must have these in the order in which they were made, as far as one had ended before the
 * other began.
 */
export function disorder(
  made: readonly { made: string; began: number; ended: number }[],
  list: readonly string[],
): Violation[] {
  const places = new Map(list.map((id, place) => [id, place]));
  const placed = made
    .flatMap((one) => ({ ...one, place: places.get(one.made) ?? [] }))
    .filter((one): one is typeof one & { place: number } => typeof one.place === "number")
    .sort((one, other) => one.place - other.place);
  // From the end: the earliest end of those that are listed later.
  let earliest: (typeof placed)[number] | undefined;
  const found: Violation[] = [];
  for (const one of placed.reverse()) {
    if (earliest && earliest.ended < one.began) {
      const what = `${one.made} is listed before ${earliest.made}, which was there before it.`;
      found.push(violation("order", what, one.made, earliest.made));
    }
    if (!earliest || one.ended < earliest.ended) earliest = one;
  }
  return found;
}

/** Whether a fault around this time may have undone what another call was about to do. */
export function isDisturbed(calls: readonly Call[], { began, ended }: Call): boolean {
  return callsOf(calls, "fault").some(
    (fault) => fault.began < ended + 500 && fault.ended + 2000 > began,
  );
}
