import { EventEmitter } from "node:events";
import { expect, test } from "playwright/test";
import { oncePerProcess } from "@/lib/platform/process";
import { publishLocally, waitFor } from "@/lib/platform/wakeups/pubsub";

/** Stands in for the connection to the database. */
test.beforeAll(() => {
  oncePerProcess("db.listener", () => ({
    emitter: new EventEmitter(),
    isLive: () => true,
    sendHeartbeat: () => {},
    resume: () => {},
  }));
});

const { signal } = new AbortController();

test("However much is published, a subscriber is woken at once, and then ten times a second", async () => {
  let attempts = 0;
  await waitFor(["busy"], { milliseconds: 450, signal }, async () => {
    attempts += 1;
    publishLocally("busy");
    return undefined;
  });
  expect(attempts).toBeGreaterThanOrEqual(2);
  expect(attempts).toBeLessThanOrEqual(8);
});

test("What is published between two wake-ups is found by the next", async () => {
  let attempts = 0;
  let isThere = false;
  const found = await waitFor(["late"], { milliseconds: 20_000, signal }, async () => {
    attempts += 1;
    if (attempts <= 2) setImmediate(() => publishLocally("late"));
    // After the second wake-up has begun to wait, and nothing is published later.
    if (attempts === 2) {
      setTimeout(() => {
        isThere = true;
        publishLocally("late");
      }, 20);
    }
    return isThere || undefined;
  });
  expect([found, attempts]).toEqual([true, 3]);
});

test("An attempt that found nothing is repeated after a pause, even if it asks for none", async () => {
  let attempts = 0;
  await waitFor(["idle"], { milliseconds: 250, signal }, async (retryIn) => {
    attempts += 1;
    retryIn(-5000);
    return undefined;
  });
  expect(attempts).toBeGreaterThanOrEqual(2);
  expect(attempts).toBeLessThanOrEqual(6);
});
