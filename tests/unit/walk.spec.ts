import { expect, test } from "playwright/test";
import { walk } from "@/lib/resources/walk";

/** Makes a walk over items with an ID and an amount of work each, and the order in which they had a turn. */
function walkOver(work: Record<string, number>, options: { from?: string; failing?: string } = {}) {
  const turns: string[] = [];
  const { from, failing } = options;
  const run = walk("Some work failed", {
    ...(from !== undefined && { start: async () => from }),
    page: async (after, limit) =>
      Object.keys(work)
        .filter((id) => id > after)
        .slice(0, limit)
        .map((id) => ({ id })),
    async work({ id }, limit) {
      turns.push(id);
      if (id === failing) throw new Error("Failed.");
      const done = Math.min(work[id] ?? 0, limit);
      work[id] = (work[id] ?? 0) - done;
      return done;
    },
  });
  return { run, turns };
}

test("A walk is over when it has come to the last item, whatever it has done", async () => {
  const { run, turns } = walkOver({ a: 1, b: 0, c: 2 }, { failing: "b" });
  expect(await run(10)).toEqual({ count: 3, isOver: true });
  expect(turns).toEqual(["a", "b", "c"]);
});

test("A walk that did as much as it may goes on where it was", async () => {
  const { run, turns } = walkOver({ a: 1, b: 5, c: 1 });
  expect(await run(3)).toEqual({ count: 4, isOver: false });
  expect(await run(3)).toEqual({ count: 3, isOver: false });
  expect(await run(3)).toEqual({ count: 0, isOver: true });
  expect(turns).toEqual(["a", "b", "b", "c"]);
});

test("An item that always has work does not keep the others from their turn", async () => {
  const { run, turns } = walkOver({ a: Number.POSITIVE_INFINITY, b: 1 });
  for (let call = 0; call < 11; call += 1) await run(3);
  expect(turns).toContain("b");
});

test("A walk that begins somewhere goes around once more", async () => {
  const { run, turns } = walkOver({ a: 1, b: 1, c: 1 }, { from: "b" });
  expect(await run(10)).toEqual({ count: 3, isOver: true });
  expect(turns).toEqual(["c", "a", "b", "c"]);
});
