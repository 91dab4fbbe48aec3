import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "playwright/test";
import { type Bounds, inBatches, inTurns } from "@/lib/platform/db/batches";

const BOUNDS: Bounds<string> = {
  weightOf: (item) => item.length,
  batchWeightMax: 1000,
  queuedWeightMax: 10_000,
  concurrencyMax: 1,
};

interface Run {
  key: string;
  items: string[];
  /** Completes the batch: each result is its item in upper case. */
  finish(): void;
  fail(error: unknown): void;
}

/** A batcher whose batches complete when the test calls `finish` or `fail`. */
function setup(bounds: Partial<Bounds<string>> = {}) {
  const runs: Run[] = [];
  const add = inBatches<string, string>(
    (key, items) =>
      new Promise((resolve, reject) => {
        const finish = () => resolve(items.map((item) => item.toUpperCase()));
        runs.push({ key, items, finish, fail: reject });
      }),
    { ...BOUNDS, ...bounds },
  );
  const started = (count: number) => expect.poll(() => runs.length).toBe(count);
  const items = () => runs.map((run) => run.items);
  return { add, runs, started, items };
}

test("Simultaneous items form one batch, and each caller gets its own result", async () => {
  const { add, runs, started, items } = setup();
  const results = Promise.all(["a", "b", "c"].map((item) => add("key", item)));
  await started(1);
  runs[0]?.finish();
  expect(await results).toEqual(["A", "B", "C"]);
  expect(items()).toEqual([["a", "b", "c"]]);
});

test("Items that arrive during a batch go together in the next, however long it runs", async () => {
  const { add, runs, started, items } = setup();
  const first = add("key", "a");
  await started(1);
  const rest = Promise.all(["b", "c"].map((item) => add("key", item)));
  await expect(Promise.race([rest, slowly("still waiting")])).resolves.toBe("still waiting");
  runs[0]?.finish();
  expect(await first).toBe("A");
  await started(2);
  runs[1]?.finish();
  expect(await rest).toEqual(["B", "C"]);
  expect(items()).toEqual([["a"], ["b", "c"]]);
});

test("Keys do not wait for each other", async () => {
  const { add, runs, started } = setup();
  const slow = add("slow", "a");
  const quick = add("quick", "b");
  await started(2);
  runs.find(({ key }) => key === "quick")?.finish();
  expect(await quick).toBe("B");
  runs.find(({ key }) => key === "slow")?.finish();
  expect(await slow).toBe("A");
});

test("Reads do not wait for earlier ones", async () => {
  const { add, runs } = setup({ concurrencyMax: 2, isRead: true });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const first = add("key", "a");
  await turn();
  const second = add("key", "b");
  await turn();
  expect(runs).toHaveLength(2);
  for (const { finish } of runs) finish();
  expect(await Promise.all([first, second])).toEqual(["A", "B"]);
});

test("A slow batch does not delay the next one, and no more than atOnceMax run", async () => {
  const { add, runs, started } = setup({ concurrencyMax: 2 });
  const results = [add("key", "a")];
  await started(1);
  results.push(add("key", "b"));
  await started(2);
  results.push(add("key", "c"));
  await expect(Promise.race([started(3), slowly("no third")])).resolves.toBe("no third");
  runs[1]?.finish();
  await started(3);
  runs[0]?.finish();
  runs[2]?.finish();
  expect(await Promise.all(results)).toEqual(["A", "B", "C"]);
});

test("When a batch fails because of one item, only that item fails", async () => {
  const tried: string[][] = [];
  const refusal = new Error("invalid byte sequence");
  const add = inBatches<string, string>(async (_key, items) => {
    tried.push(items);
    if (items.includes("bad")) throw refusal;
    return items;
  }, BOUNDS);
  const results = await Promise.allSettled(["a", "bad", "b"].map((item) => add("key", item)));
  expect(results).toEqual([
    { status: "fulfilled", value: "a" },
    { status: "rejected", reason: refusal },
    { status: "fulfilled", value: "b" },
  ]);
  expect(tried).toEqual([["a", "bad", "b"], ["a", "bad"], ["a"], ["bad"], ["b"]]);
});

test("One refused item costs a full batch few retries", async () => {
  let runs = 0;
  const add = inBatches<string, string>(async (_key, items) => {
    runs++;
    if (items.includes("bad")) throw new Error("refused");
    return items;
  }, BOUNDS);
  const items = Array.from({ length: 200 }, (_, index) => (index === 77 ? "bad" : "n"));
  const results = await Promise.allSettled(items.map((item) => add("key", item)));
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(runs).toBeLessThan(20);
});

test("When the database is down the whole batch fails without a retry of each item", async () => {
  const { add, runs, started } = setup();
  const results = Promise.allSettled(["a", "b"].map((item) => add("key", item)));
  await started(1);
  const down = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
  runs[0]?.fail(down);
  expect(await results).toEqual([
    { status: "rejected", reason: down },
    { status: "rejected", reason: down },
  ]);
  expect(runs).toHaveLength(1);
});

test("A batch holds at most 200 items and its maximum weight; a heavier item goes alone", async () => {
  const { add, runs, started, items } = setup({ batchWeightMax: 400, queuedWeightMax: 10_000 });
  const sent = ["x".repeat(500), "y", "z".repeat(400), ...Array<string>(201).fill("n")];
  const results = Promise.all(sent.map((item) => add("key", item)));
  for (let batch = 1; batch <= 5; batch++) {
    await started(batch);
    runs[batch - 1]?.finish();
  }
  expect(await results).toEqual(sent.map((item) => item.toUpperCase()));
  expect(items().map(({ length }) => length)).toEqual([1, 1, 1, 200, 1]);
});

test("A batch holds no more items than its own maximum", async () => {
  const { add, runs, started, items } = setup({ batchItemsMax: 2 });
  const results = Promise.all(["a", "b", "c"].map((item) => add("key", item)));
  for (const batch of [1, 2]) {
    await started(batch);
    runs[batch - 1]?.finish();
  }
  expect(await results).toEqual(["A", "B", "C"]);
  expect(items()).toEqual([["a", "b"], ["c"]]);
});

test("Work takes turns within its key, some at a time and in order, whether or not it fails", async () => {
  const inTurn = inTurns(2, "Too many.");
  const ends: (() => void)[] = [];
  const works = ["a", "b", "c", "d"].map((name) =>
    inTurn("key", async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === "a") throw new Error("refused");
      return name;
    }),
  );
  const results = Promise.allSettled(works);
  expect(await inTurn("other", async () => "at once")).toBe("at once");
  for (const begun of [2, 3, 4]) {
    await expect.poll(() => ends.length).toBe(begun);
    ends[begun - 2]?.();
  }
  ends[3]?.();
  const reasons = (await results).map((one) =>
    one.status === "fulfilled" ? one.value : "refused",
  );
  expect(reasons).toEqual(["refused", "b", "c", "d"]);
});

test("Work runs in the async context of its caller, whose turn it is", async () => {
  const inTurn = inTurns(1, "Too many.");
  const caller = new AsyncLocalStorage<string>();
  const seen = await Promise.all(
    ["a", "b", "c"].map((name) =>
      caller.run(name, () => inTurn("key", async () => caller.getStore())),
    ),
  );
  expect(seen).toEqual(["a", "b", "c"]);
});

test("A turn that comes too late is refused, and those after it run", async () => {
  const inTurn = inTurns(1, "Too many.");
  const now = performance.now.bind(performance);
  const ends: (() => void)[] = [];
  const first = inTurn("key", () => new Promise<void>((resolve) => ends.push(resolve)));
  const late = inTurn("key", async () => "late");
  const refused = expect(late).rejects.toMatchObject({
    code: "service_unavailable",
    message: "Too many.",
  });
  await expect.poll(() => ends.length).toBe(1);
  try {
    performance.now = () => now() + 13_000;
    ends[0]?.();
    await first;
    await refused;
    expect(await inTurn("key", async () => "in time")).toBe("in time");
  } finally {
    performance.now = now;
  }
});

test("Items over the total waiting weight are refused with 503 until the queue drains", async () => {
  const { add, runs, started } = setup({ queuedWeightMax: 10 });
  const first = add("one", "12345678");
  await expect(add("other", "123")).rejects.toMatchObject({
    code: "service_unavailable",
    headers: { "Retry-After": "5" },
  });
  const small = add("other", "12");
  await started(2);
  for (const run of runs) run.finish();
  await Promise.all([first, small]);
  const again = add("other", "123");
  await started(3);
  runs[2]?.finish();
  expect(await again).toBe("123");
});

/** Resolves after a batch would count as slow. */
function slowly<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, 300, value));
}
