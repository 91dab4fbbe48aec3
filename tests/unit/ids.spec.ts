import { expect, test } from "playwright/test";
import { looksLikeId, newId, newIds } from "@/lib/platform/db/ids";

test("IDs that are made together are distinct, and sort by creation among all others", () => {
  // More than there are times that differ in their last two digits only.
  const ids = [newId("lse"), ...newIds("lse", 5000), newId("lse"), ...newIds("lse", 1)];
  expect(ids.filter((id) => !looksLikeId("lse", id))).toEqual([]);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids).toHaveLength(5003);
  expect(newIds("lse", 0)).toEqual([]);
});
