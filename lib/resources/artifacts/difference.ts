import { diffArrays } from "diff";

/** A difference with more edits is not computed: memory grows with their square. */
const EDITS_MAX = 1000;
const COMPARISON_MS_MAX = 150;
/** Unchanged lines shown around a change. */
const CONTEXT = 3;

export interface Line {
  kind: "same" | "removed" | "added";
  /** The number in the earlier text, from 1; null for an added line. */
  before: number | null;
  /** The number in the later text, from 1; null for a removed line. */
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
 * The fewest lines to remove and add. Line endings count as equal. Undefined if the texts differ in
 * too many lines.
 */
export function differenceOf(before: string, after: string): Difference | undefined {
  const runs = diffArrays(linesOf(before), linesOf(after), {
    maxEditLength: EDITS_MAX,
    timeout: COMPARISON_MS_MAX,
  });
  if (!runs) return undefined;
  const groups: Line[][] = [[]];
  const count = { same: 0, removed: 0, added: 0 };
  for (const [index, { value, added, removed }] of runs.entries()) {
    const kind = added ? "added" : removed ? "removed" : "same";
    const [x, y] = [count.same + count.removed, count.same + count.added];
    const show = (from: number, upTo: number) => {
      for (const [at, text] of value.slice(from, upTo).entries()) {
        const before = added ? null : x + from + at + 1;
        const after = removed ? null : y + from + at + 1;
        groups.at(-1)?.push({ kind, before, after, text });
      }
    };
    count[kind] += value.length;
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === runs.length - 1 ? 0 : CONTEXT;
    if (kind !== "same" || value.length <= head + tail) show(0, value.length);
    else {
      show(0, head);
      if (head > 0 && tail > 0) groups.push([]);
      show(value.length - tail, value.length);
    }
  }
  return {
    added: count.added,
    removed: count.removed,
    groups: groups.filter((group) => group.length > 0),
  };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
