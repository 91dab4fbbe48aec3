import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { ApiError } from "@/packages/client/src/api-error";
import { keepLease, latenessOf, remainingMs } from "@/packages/client/src/lease";

const HOUR_MS = 3_600_000;

test("After the machine has slept through the end of a lease, its client asks at once whether it is lost", async () => {
  const { now } = Date;
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let asked = 0;
    const lease = keepLease(HOUR_MS, HOUR_MS, async () => {
      asked += 1;
      if (asked > 1) throw new ApiError("Another worker has it.", { status: 409 });
    });
    const wait = async () => {
      mock.timers.tick(2000);
      await turn();
    };
    await wait();
    expect(asked).toBe(0);
    // Timers and `performance.now()` stood still.
    Date.now = () => now() + 2 * HOUR_MS;
    await wait();
    expect([asked, lease.signal.aborted]).toEqual([1, false]);
    await wait();
    expect(asked).toBe(1);
    Date.now = () => now() + 4 * HOUR_MS;
    await wait();
    expect([asked, lease.signal.aborted, lease.isLost()]).toEqual([2, true, true]);
  } finally {
    Date.now = now;
    mock.timers.reset();
  }
});

test("A lease that its machine slept through has no time left when the response is handled, whatever the service's clock says", () => {
  /** What is left of a lease of an hour if the machine sleeps while it waits for up to 20 seconds. */
  const leftAfter = (sleptMs: number, servedAt = Date.now()) => {
    const { now } = Date;
    const lateness = latenessOf(20);
    Date.now = () => now() + sleptMs;
    try {
      const headers = { date: new Date(servedAt).toUTCString() };
      const endsAt = Math.floor(servedAt / 1000) + 3600;
      return remainingMs(endsAt, new Response(null, { headers }), HOUR_MS, lateness());
    } finally {
      Date.now = now;
    }
  };
  expect(leftAfter(2 * HOUR_MS)).toBe(0);
  expect(leftAfter(HOUR_MS / 2)).toBeLessThanOrEqual(HOUR_MS / 2 + 20_000);
  // The second in which it was served may have been almost over.
  expect(leftAfter(15_000)).toBe(HOUR_MS - 1000);
  expect(leftAfter(0, Date.now() - 24 * HOUR_MS)).toBe(HOUR_MS - 1000);
});
