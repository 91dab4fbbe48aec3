import { expect, test } from "playwright/test";
import { Turns } from "@/lib/resources/subscriptions/turns";

/** Whose subscriptions are pushed to next. */

const of = (organization_id: string, ...ids: string[]) =>
  ids.map((id) => ({ id, organization_id }));

/** Turns that run until they are ended, of those that wait. */
function begin(waiting: Set<{ id: string; organization_id: string }>) {
  const turns = new Turns();
  const ends = new Map<string, () => void>();
  return {
    turns,
    /** Begins as many as have a place, and returns their IDs. */
    fill(): string[] {
      const begun: string[] = [];
      for (let one = turns.next(waiting); one; one = turns.next(waiting)) {
        const { id } = one;
        waiting.delete(one);
        void turns.run(one, () => new Promise<void>((resolve) => ends.set(id, resolve)));
        begun.push(id);
      }
      return begun;
    },
    async end(id: string) {
      const ended = turns.nextEnd();
      ends.get(id)?.();
      await ended;
    },
  };
}

test("An organization whose pushes take long leaves a place to the others, one after the other", async () => {
  const waiting = new Set(of("org_a", "sub_1", "sub_2", "sub_3", "sub_4", "sub_5"));
  const { turns, fill, end } = begin(waiting);
  expect(fill()).toEqual(["sub_1", "sub_2", "sub_3"]);
  for (const one of [...of("org_b", "sub_6", "sub_7"), ...of("org_c", "sub_8")]) waiting.add(one);
  expect(fill()).toEqual(["sub_6"]);
  await end("sub_6");
  expect(turns.isRunning({ id: "sub_6", organization_id: "org_b" })).toBe(false);
  expect(fill()).toEqual(["sub_8"]);
  await end("sub_8");
  expect(fill()).toEqual(["sub_7"]);
  await end("sub_7");
  expect(fill()).toEqual([]);
  await end("sub_1");
  expect(fill()).toEqual(["sub_4"]);
});

test("The turn goes to the organization, and its subscription, that had the last one longest ago", async () => {
  const all = [...of("org_a", "sub_1", "sub_2"), ...of("org_b", "sub_3"), ...of("org_c", "sub_4")];
  const waiting = new Set(all);
  const { fill, end } = begin(waiting);
  expect(fill()).toEqual(["sub_1", "sub_3", "sub_4"]);
  // All wait again.
  for (const id of ["sub_3", "sub_1", "sub_4"]) await end(id);
  for (const one of all) waiting.add(one);
  expect(fill()).toEqual(["sub_2", "sub_3", "sub_4"]);
});
