import { expect, test } from "playwright/test";
import {
  lengthOf,
  loopTurns,
  mapInTurns,
  turnIfLarge,
  turnIfLong,
} from "@/lib/platform/loop-turns";
import { countTurns } from "../support/turns";

test("Of calls at once each gets a turn of its own, in order, in which others are served", async () => {
  const turn = loopTurns();
  const done: number[] = [];
  const turnsOf = await countTurns((turns) =>
    Promise.all(
      Array.from({ length: 5 }, async (_, call) => {
        await turn();
        done.push(call);
        return turns();
      }),
    ),
  );
  expect(done).toEqual([0, 1, 2, 3, 4]);
  expect(new Set(turnsOf).size).toBe(5);
});

test("As many calls as a turn has room for share it", async () => {
  const turn = loopTurns(2);
  const seen = await countTurns((turns) =>
    Promise.all(Array.from({ length: 6 }, () => turn().then(turns))),
  );
  const [one, two, three] = [...new Set(seen)];
  expect(seen).toEqual([one, one, two, two, three, three]);
});

test("Slow items let others be served in between, and quick ones share one turn", async () => {
  const turnsOf = (milliseconds: number) =>
    countTurns(async (turns) => {
      const results = await mapInTurns([1, 2, 3, 4], (item) => {
        const begun = performance.now();
        while (performance.now() - begun < milliseconds);
        return 2 * item;
      });
      expect(results).toEqual([2, 4, 6, 8]);
      return turns();
    });
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
    const seen = await countTurns((turns) =>
      Promise.all(
        Array.from({ length: 3 }, async () => {
          await turnIfLong(lengthOf(row));
          return turns();
        }),
      ),
    );
    return new Set(seen).size;
  };
  expect(await turnsOf({ name: "x", description: null, labels: ["x"], revision: 1 })).toBe(1);
  expect(
    await turnsOf({ name: "x", description: "x".repeat(60_000), external_id: "x".repeat(60_000) }),
  ).toBe(3);
});

test("Between the steps of work on something large, others get through several turns", async () => {
  for (const turn of [turnIfLarge, turnIfLong]) {
    const seen = await countTurns((turns) =>
      Promise.all([1, 2, 3].map(() => turn(1_000_001)?.then(turns))),
    );
    const [one = 0, two = 0, three = 0] = seen;
    expect(two - one).toBeGreaterThan(10);
    expect(three - two).toBeGreaterThan(10);
  }
});
