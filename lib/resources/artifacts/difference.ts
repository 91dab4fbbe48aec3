/** Larger texts are not compared: the work is done while others wait. */
const LINES_MAX = 20_000;
const EDITS_MAX = 1000;
/** Unchanged lines shown around a change. */
const CONTEXT = 3;

export interface Line {
  kind: "same" | "removed" | "added";
  /** Its number in the earlier text, from 1; null for an added line. */
  before: number | null;
  /** Its number in the later text, from 1; null for a removed line. */
  after: number | null;
  text: string;
}

export interface Difference {
  added: number;
  removed: number;
  /** The changed lines in groups, each with a few unchanged lines around it. */
  groups: Line[][];
}

/**
 * The fewest lines to remove and add, by Myers' algorithm. Line endings count as equal. Undefined
 * when the texts differ in too many lines.
 */
export function differenceOf(before: string, after: string): Difference | undefined {
  const [old, now] = [linesOf(before), linesOf(after)];
  const start = commonStart(old, now);
  const end = commonEnd(old, now, start);
  const oldMiddle = old.slice(start, old.length - end);
  const nowMiddle = now.slice(start, now.length - end);
  if (Math.max(oldMiddle.length, nowMiddle.length) > LINES_MAX) return undefined;
  const kinds = shortestEdit(...numbered(oldMiddle, nowMiddle));
  if (!kinds) return undefined;
  const lines: Line[] = [];
  let x = Math.max(0, start - CONTEXT);
  let y = x;
  const all: Line["kind"][] = [
    ...Array<"same">(start - x).fill("same"),
    ...kinds,
    ...Array<"same">(Math.min(end, CONTEXT)).fill("same"),
  ];
  for (const kind of all) {
    const text = (kind === "added" ? now[y] : old[x]) ?? "";
    if (kind !== "added") x += 1;
    if (kind !== "removed") y += 1;
    lines.push({
      kind,
      before: kind === "added" ? null : x,
      after: kind === "removed" ? null : y,
      text,
    });
  }
  return {
    added: kinds.filter((kind) => kind === "added").length,
    removed: kinds.filter((kind) => kind === "removed").length,
    groups: grouped(lines),
  };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

function commonStart(one: string[], other: string[]): number {
  const length = Math.min(one.length, other.length);
  let count = 0;
  while (count < length && one[count] === other[count]) count += 1;
  return count;
}

function commonEnd(one: string[], other: string[], start: number): number {
  const length = Math.min(one.length, other.length) - start;
  let count = 0;
  while (count < length && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

/** Equal lines as equal numbers, which compare faster. */
function numbered(one: string[], other: string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  return [Int32Array.from(one, numberOf), Int32Array.from(other, numberOf)];
}

/** The edit of each line in turn; undefined after `EDITS_MAX` edits. */
function shortestEdit(one: Int32Array, other: Int32Array): Line["kind"][] | undefined {
  const max = Math.min(one.length + other.length, EDITS_MAX);
  // By diagonal (x - y): how far the best path with so many edits has come in `one`.
  const reached = new Int32Array(2 * max + 3);
  const middle = max + 1;
  const at = (diagonal: number) => reached[middle + diagonal] ?? 0;
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= max; edits += 1) {
    history.push(reached.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isAddition =
        diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let x = isAddition ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) {
        x += 1;
      }
      reached[middle + diagonal] = x;
      if (x >= one.length && x - diagonal >= other.length) {
        return walkBack(history, one.length, other.length);
      }
    }
  }
  return undefined;
}

/** The path to the ends of both texts, from what was reached before each edit. */
function walkBack(history: Int32Array[], oneLength: number, otherLength: number): Line["kind"][] {
  const backwards: Line["kind"][] = [];
  let [x, y] = [oneLength, otherLength];
  for (let edits = history.length - 1; edits > 0; edits -= 1) {
    const reached = history[edits];
    const at = (diagonal: number) => reached?.[diagonal + edits + 1] ?? 0;
    const diagonal = x - y;
    const isAddition =
      diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const fromX = at(isAddition ? diagonal + 1 : diagonal - 1);
    const fromY = fromX - (isAddition ? diagonal + 1 : diagonal - 1);
    const afterEdit = isAddition ? fromX : fromX + 1;
    for (; x > afterEdit; x -= 1) backwards.push("same");
    backwards.push(isAddition ? "added" : "removed");
    [x, y] = [fromX, fromY];
  }
  for (; x > 0; x -= 1) backwards.push("same");
  return backwards.reverse();
}

/** The lines within `CONTEXT` of a change, in runs. */
function grouped(lines: Line[]): Line[][] {
  const groups: Line[][] = [];
  let shownUpTo = 0;
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    const from = Math.max(shownUpTo, index - CONTEXT);
    const upTo = Math.min(lines.length, index + CONTEXT + 1);
    const last = groups.at(-1);
    if (last && from === shownUpTo) last.push(...lines.slice(from, upTo));
    else groups.push(lines.slice(from, upTo));
    shownUpTo = upTo;
  }
  return groups;
}
