import { expect, test } from "playwright/test";
import { takeConnectionSlot, WAITING_MAX } from "@/lib/platform/limits/connection-slots";

test("Streams and long polls take at most three quarters of the connections, and one that ends makes room", () => {
  const take = (index: number) =>
    takeConnectionSlot(index % 2 === 0 ? { kind: "stream" } : { kind: "poll" }, "192.0.2.1");
  const [first, ...others] = Array.from({ length: WAITING_MAX }, (_, index) => take(index));
  for (const index of [0, 1]) expect(() => take(index)).toThrow("Too many clients are waiting.");
  first?.();
  first?.(); // ends once
  const again = take(0);
  expect(() => take(1)).toThrow("Too many clients are waiting.");
  for (const release of [again, ...others]) release();
});
