import { expect, test } from "playwright/test";
import { connectionsPerProcess, processCount } from "../../server/processes";

const UNSET = { webConcurrency: undefined, databasePoolSize: undefined };

for (const [cores, processes] of [
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [5, 2],
  [8, 4],
  [16, 8],
  [64, 8],
] as const) {
  test(`${cores} cores: ${processes} processes unless configured`, () => {
    expect(processCount(UNSET, cores)).toBe(processes);
  });
}

test("WEB_CONCURRENCY is used whatever the cores", () => {
  expect(processCount({ ...UNSET, webConcurrency: 5 }, 2)).toBe(5);
  expect(processCount({ ...UNSET, webConcurrency: 1 }, 16)).toBe(1);
});

test("A small database pool allows fewer processes by default", () => {
  const countWith = (databasePoolSize: number) => processCount({ ...UNSET, databasePoolSize }, 16);
  expect([2, 5, 6, 10, 18, 1000].map(countWith)).toEqual([1, 1, 2, 4, 8, 8]);
});

test("The pools of all processes hold at most DATABASE_POOL_SIZE, or 80 connections", () => {
  for (let processes = 2; processes <= 32; processes += 1) {
    const pools = processes + 1;
    expect(connectionsPerProcess(UNSET, processes) * pools).toBeLessThanOrEqual(80);
    expect(connectionsPerProcess(UNSET, processes)).toBeGreaterThanOrEqual(2);
    const share = connectionsPerProcess({ ...UNSET, databasePoolSize: 100 }, processes);
    expect(share * pools).toBeLessThanOrEqual(100);
    expect((share + 1) * pools).toBeGreaterThan(100);
  }
});

test("Too few connections are refused", () => {
  const settings = { ...UNSET, databasePoolSize: 5 };
  expect(() => connectionsPerProcess(settings, 2)).toThrow(
    "DATABASE_POOL_SIZE: must be at least 6",
  );
});
