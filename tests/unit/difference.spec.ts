import fc from "fast-check";
import { expect, test } from "playwright/test";
import { theirFields } from "@/app/(dashboard)/_shared/their-fields";
import { type Difference, differenceOf } from "@/lib/resources/artifacts/difference";

test("A difference names the lines that were removed and added, with three lines around them", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";
  const after = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10";
  expect(shown(differenceOf(before, after))).toEqual([
    [" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"],
  ]);
  expect(differenceOf(before, after)).toMatchObject({ added: 1, removed: 1 });
  const first = differenceOf(before, after)?.groups[0]?.map(({ before, after }) => [before, after]);
  expect(first?.slice(2, 6)).toEqual([
    [4, 4],
    [5, null],
    [null, 5],
    [6, 6],
  ]);
});

test("Changes far apart are in groups of their own, and those nearby in one", () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index}`);
  const changed = lines.map((line) => (["1", "5", "30"].includes(line) ? `${line}!` : line));
  const groups = shown(differenceOf(lines.join("\n"), changed.join("\n")));
  expect(groups.map((group) => group.filter((line) => !line.startsWith(" ")))).toEqual([
    ["-1", "+1!", "-5", "+5!"],
    ["-30", "+30!"],
  ]);
});

test("Equal texts, and texts that differ in line endings only, have no difference", () => {
  for (const other of ["a\nb\n", "a\r\nb\r\n", "a\rb\r"]) {
    expect(differenceOf("a\nb\n", other)).toEqual({ added: 0, removed: 0, groups: [] });
  }
});

test("Removing and adding the lines of a difference turns any text into any other", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const difference = differenceOf(before.join("\n"), after.join("\n"));
      const lines = difference?.groups.flat() ?? [];
      const misplaced = lines.filter(
        (line) =>
          (line.before !== null && (before[line.before - 1] ?? "") !== line.text) ||
          (line.after !== null && (after[line.after - 1] ?? "") !== line.text),
      );
      const removed = new Set(
        lines.flatMap(({ kind, before }) => (kind === "removed" ? [before] : [])),
      );
      const added = new Set(lines.flatMap(({ kind, after }) => (kind === "added" ? [after] : [])));
      const without = (text: string[], numbers: Set<number | null>) =>
        (text.length ? text : [""]).filter((_, index) => !numbers.has(index + 1));
      // One comparison, since the runner takes milliseconds to record each.
      expect({
        misplaced,
        kept: without(before, removed),
        removed: difference?.removed,
        added: difference?.added,
      }).toEqual({
        misplaced: [],
        kept: without(after, added),
        removed: removed.size,
        added: added.size,
      });
    }),
    { numRuns: 500 },
  );
});

test("Texts that differ too much are refused soon, and a small change in a large text is found", () => {
  const lines = (count: number, of: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => of(index)).join("\n");
  const start = process.cpuUsage();
  expect(
    differenceOf(
      lines(15_000, (n) => `a${n}`),
      lines(15_000, (n) => `b${n}`),
    ),
  ).toBeUndefined();
  expect(
    differenceOf(
      lines(15_000, (n) => `${n % 2}`),
      lines(15_000, (n) => `${n % 3}`),
    ),
  ).toBeUndefined();
  expect(differenceOf("\n".repeat(500_000), lines(500_000, String))).toBeUndefined();
  const large = lines(99_000, (n) => `${n % 10}`);
  expect(differenceOf(large, `${large}\nmore`)).toMatchObject({ added: 1, removed: 0 });
  // A tenth of this is usual.
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500);
});

test("Texts of more than 100,000 lines are not compared, unless they are the same", () => {
  const most = "\n".repeat(99_999);
  expect(differenceOf(most, `${most}a`)).toMatchObject({ added: 1, removed: 1 });
  for (const more of [`${most}\n`, "\r".repeat(1_000_000)]) {
    expect(differenceOf(most, more)).toBeUndefined();
    expect(differenceOf(more, most)).toBeUndefined();
    expect(differenceOf(more, more)).toMatchObject({ added: 0, removed: 0 });
  }
});

test("Lines that differ in many words are other lines, and cost no long comparison", () => {
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return ".,;:"[seed % 4];
  };
  const text = () =>
    Array.from({ length: 20 }, () => Array.from({ length: 500 }, next).join("")).join("\n");
  const difference = differenceOf(text(), text());
  expect(difference).toMatchObject({ added: 20, removed: 20 });
  expect(marked(difference)).toBe(0);
  expect(marked(differenceOf("All five tests pass.", "All six tests pass."))).toBe(2);
});

test("Once its time is spent, a comparison marks no words", () => {
  const { now } = performance;
  let milliseconds = 0;
  performance.now = () => {
    milliseconds += 1000;
    return milliseconds;
  };
  const difference = differenceOf("All five tests pass.", "All six tests pass.");
  performance.now = now;
  expect(difference).toMatchObject({ added: 1, removed: 1 });
  expect(marked(difference)).toBe(0);
});

test("A form that repeats a field learns once that others have changed it", () => {
  const data = new FormData();
  for (const tag of ["a", "b", "c"]) data.append("shown_content", tag);
  expect(theirFields(data, { content: "theirs" }).map(({ name }) => name)).toEqual(["content"]);
});

test("A form may send any field as a time, and any time zone", () => {
  const data = new FormData();
  for (const name of ["due_at", "name", "missing"]) data.set(`${name}_before`, "");
  data.set("due_at_zone", "Nowhere");
  expect(theirFields(data, { due_at: 0, name: "Plan" })).toEqual([
    { name: "due_at", value: "1970-01-01T00:00", isTakeable: false },
  ]);
});

/** How many lines show which of their words have changed. */
function marked(difference: Difference | undefined): number {
  return difference?.groups.flat().filter(({ parts }) => parts).length ?? 0;
}

function shown(difference: Difference | undefined): string[][] {
  const signs = { same: " ", removed: "-", added: "+" };
  return (difference?.groups ?? []).map((group) =>
    group.map(({ kind, text }) => `${signs[kind]}${text}`),
  );
}
