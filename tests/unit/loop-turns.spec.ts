import { expect, test } from "playwright/test";
import { loopTurns, mapInTurns, turnIfLong } from "@/lib/platform/loop-turns";

test("Of calls at once each gets a turn of its own, in order, in which others are served", async () => {
  const turn = loopTurns();
  const served: string[] = [];
  let isOver = false;
  const serve = () => {
    served.push("others");
    if (!isOver) setImmediate(serve);
  };
  setImmediate(serve);
  await Promise.all(
    Array.from({ length: 5 }, async (_, call) => {
      await turn();
      served.push(`call ${call}`);
    }),
  );
  isOver = true;
  const calls = served.filter((one) => one !== "others");
  expect(calls).toEqual(["call 0", "call 1", "call 2", "call 3", "call 4"]);
  expect(served.join(", ")).not.toMatch(/call \d, call/);
});

test("As many calls as a turn has room for share it", async () => {
  const turn = loopTurns(2);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      await turn();
      seen.push(turns);
    }),
  );
  isOver = true;
  const [one, two, three] = [...new Set(seen)];
  expect(seen).toEqual([one, one, two, two, three, three]);
});

test("Items that take long are done in turns in which others are served, and quick ones in one", async () => {
  const turnsOf = async (milliseconds: number) => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const results = await mapInTurns([1, 2, 3, 4], (item) => {
      const begun = performance.now();
      while (performance.now() - begun < milliseconds);
      return 2 * item;
    });
    isOver = true;
    expect(results).toEqual([2, 4, 6, 8]);
    return turns;
  };
  expect(await turnsOf(15)).toBeGreaterThanOrEqual(3);
  expect(await turnsOf(0)).toBe(0);
});

test("A call that is alone waits for nothing", async () => {
  const turn = loopTurns();
  await turn();
  await new Promise((resolve) => setImmediate(resolve));
  let isNextTurn = false;
  setImmediate(() => {
    isNextTurn = true;
  });
  await turn();
  expect(isNextTurn).toBe(false);
});

test("Long rows that arrive together are serialized in a turn each, and short ones at once", async () => {
  const turnsOf = async (row: object) => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const seen = await Promise.all(
      Array.from({ length: 3 }, async () => {
        await turnIfLong(row);
        return turns;
      }),
    );
    isOver = true;
    return new Set(seen).size;
  };
  expect(await turnsOf({ name: "x", description: null, labels: ["x"], revision: 1 })).toBe(1);
  expect(
    await turnsOf({ name: "x", description: "x".repeat(60_000), external_id: "x".repeat(60_000) }),
  ).toBe(3);
});
