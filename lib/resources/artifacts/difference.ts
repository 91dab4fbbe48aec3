import { diffArrays, diffWordsWithSpace } from "diff";

/** A difference with more edits is not computed: memory grows with their square. */
const EDITS_MAX = 1000;
const COMPARISON_MS_MAX = 150;
/** Texts with more lines are not compared: even splitting them takes long. */
const LINES_MAX = 100_000;
/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/**
 * Beyond these limits on their number, length and changed words, lines are not compared word by
 * word.
 */
const COMPARED_LINES_MAX = 200;
const COMPARED_CHARACTERS_MAX = 500;
const WORD_EDITS_MAX = 50;

export interface Line {
  kind: "same" | "removed" | "added";
  /** The number in the earlier text, from 1; null for an added line. */
  before: number | null;
  /** The number in the later text, from 1; null for a removed line. */
  after: number | null;
  text: string;
  /** The text in parts, if a changed line is like one of the other version. */
  parts?: { text: string; isChanged: boolean }[];
}

export interface Difference {
  added: number;
  removed: number;
  /** The changed lines in groups, each with a few unchanged lines around it. */
  groups: Line[][];
}

/**
 * The fewest lines to remove and add. Line endings count as equal. Undefined if the texts have, or
 * differ in, too many lines.
 */
export function differenceOf(before: string, after: string): Difference | undefined {
  if (before === after) return { added: 0, removed: 0, groups: [] };
  const deadline = performance.now() + COMPARISON_MS_MAX;
  const [earlier, later] = [linesOf(before), linesOf(after)];
  if (Math.max(earlier.length, later.length) > LINES_MAX) return undefined;
  const runs = diffArrays(earlier, later, {
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
  markWords(groups.flat(), deadline);
  return {
    added: count.added,
    removed: count.removed,
    groups: groups.filter((group) => group.length > 0),
  };
}

/** Compares each removed line with the added one in its place, word by word, until `deadline`. */
function markWords(lines: Line[], deadline: number) {
  let left = COMPARED_LINES_MAX;
  for (let start = 0; start < lines.length && left > 0; ) {
    const removed = runFrom(lines, start, "removed");
    const added = runFrom(lines, start + removed.length, "added");
    for (const [at, before] of removed.entries()) {
      const after = added[at];
      if (!after || left <= 0 || performance.now() > deadline) break;
      left -= 1;
      compareWords(before, after);
    }
    start += removed.length + added.length || 1;
  }
}

function runFrom(lines: Line[], start: number, kind: Line["kind"]): Line[] {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(start, end);
}

function compareWords(before: Line, after: Line) {
  const length = Math.max(before.text.length, after.text.length);
  if (length > COMPARED_CHARACTERS_MAX) return;
  const parts = diffWordsWithSpace(before.text, after.text, { maxEditLength: WORD_EDITS_MAX });
  if (!parts) return;
  const isSame = (part: (typeof parts)[number]) => !part.added && !part.removed;
  const same = parts.filter(isSame).reduce((sum, { value }) => sum + value.trim().length, 0);
  // Lines with so little in common are different lines, not versions of one.
  if (same * 3 < length) return;
  const of = (kind: "added" | "removed") =>
    parts
      .filter((part) => isSame(part) || part[kind])
      .map((part) => ({ text: part.value, isChanged: !isSame(part) }));
  before.parts = of("removed");
  after.parts = of("added");
}

/** The lines of a text, at most one more than `LINES_MAX`. */
function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/, LINES_MAX + 1);
}
