import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { ApiError } from "@/packages/client/src/api-error";
import { keepLease } from "@/packages/client/src/lease";

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
