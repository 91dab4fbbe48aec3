import { expect, test } from "playwright/test";
import { looksLikeId, microsecondsOf, newId, newIds } from "@/lib/platform/db/ids";

test("IDs that are made together are distinct, and sort by creation among all others", () => {
  // More than there are times that differ in their last two digits only.
  const ids = [newId("lse"), ...newIds("lse", 5000), newId("lse"), ...newIds("lse", 1)];
  expect(ids.filter((id) => !looksLikeId("lse", id))).toEqual([]);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids).toHaveLength(5003);
  expect(newIds("lse", 0)).toEqual([]);
});

test("IDs follow a clock that has gone on while the process slept, and go on at its pace when it is set back", () => {
  const { now } = Date;
  const before = microsecondsOf(newId("lse"));
  try {
    Date.now = () => now() + 60_000;
    const awake = microsecondsOf(newId("lse"));
    expect(awake - before).toBeGreaterThan(59_000_000);
    Date.now = () => now() - 3_600_000;
    const elapsed = performance.now.bind(performance);
    performance.now = () => elapsed() + 5000;
    const later = microsecondsOf(newId("lse"));
    performance.now = elapsed;
    expect(later - awake).toBeGreaterThan(4_900_000);
  } finally {
    Date.now = now;
  }
});
