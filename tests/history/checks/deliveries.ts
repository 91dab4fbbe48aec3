import {
  type Check,
  callsOf,
  doubles,
  grouped,
  listedBy,
  madeBy,
  type Violation,
  violation,
} from "./check";

/** A message is leased for 90 seconds, and a failure without `Retry-After` is retried after 54 at the earliest. */
const AGAIN_MS_MIN = 50_000;
/** The clocks of the leases were moved on by more than a lease. */
export const MOVED = "leases moved on";

/** Messages: each arrives, one attempt at a time, and never after it was canceled. */
export const messages: Check = (calls) => {
  const sent = madeBy(calls, "send");
  const states = listedBy(calls, "delivered", "messages");
  const arrivals = callsOf(calls, "arrive");
  const cancels = callsOf(calls, "cancel").filter(({ outcome }) => outcome !== "refused");
  const moved = callsOf(calls, MOVED)[0]?.began ?? Number.POSITIVE_INFINITY;
  const found: Violation[] = [];
  for (const { made, value } of sent) {
    const own = arrivals.filter(({ on }) => on === made);
    const cancel = cancels.find(({ id }) => id === made);
    const state = states?.find(({ id }) => id === made);
    const isDone = own.some(({ outcome }) => outcome === "ok");
    if (states && !isDone && !cancel) {
      found.push(violation("lost", `The message ${made} did not arrive.`, made, value));
    }
    if (state?.value === "delivered" && !isDone) {
      found.push(
        violation("wrong", `${made} is delivered, which the target refused.`, made, value),
      );
    }
    if (state && own.length > (state.turn ?? 0)) {
      found.push(violation("double", `${made} arrived more often than it was tried.`, made));
    }
    const late = own.find(({ began }) => cancel?.outcome === "ok" && began > cancel.ended);
    if (late) found.push(violation("wrong", `${made} arrived after it was canceled.`, made));
  }
  for (const [id, own] of grouped(arrivals, ({ on }) => on)) {
    for (const [place, later] of own.entries()) {
      const before = own
        .slice(0, place)
        .find(
          (earlier) =>
            earlier.found[0]?.turn === later.found[0]?.turn ||
            (earlier.outcome === "ok" &&
              later.began < earlier.began + AGAIN_MS_MIN &&
              !(earlier.began < moved && later.began > moved)),
        );
      if (before) found.push(violation("double", `${id} was sent again under its lease.`, id));
    }
  }
  const pairs = arrivals.map(({ on, value }) => ({ id: on, value }));
  return [
    ...found,
    ...doubles([...sent.map(({ made, value }) => ({ id: made, value })), ...pairs]),
  ];
};

/** Schedules: each time runs once, and each run by hand once. */
export const schedules: Check = (calls) => {
  const tasks = listedBy(calls, "owned", "organization 0");
  if (!tasks) return [];
  return madeBy(calls, "plan").flatMap(({ made, value, began, ended, seconds = 0 }) => {
    // One that was made after its time does not run.
    const timed = ended < began + (seconds - 1) * 1000 ? 1 : 0;
    const count = tasks.filter((task) => task.value === value).length;
    const runs = grouped(
      callsOf(calls, "run").filter(({ id }) => id === value),
      (run) => run.value,
    );
    const tried = [...runs.values()].filter((same) =>
      same.some(({ outcome }) => outcome !== "refused"),
    );
    const done = tried.filter((same) => same.some(({ outcome }) => outcome === "ok"));
    if (count < timed + done.length) {
      const what = `${count} of ${timed + done.length} runs of ${made} made a task.`;
      return [violation("lost", what, value, made)];
    }
    if (count > 1 + tried.length) {
      return [
        violation(
          "double",
          `${made} ran ${count} times instead of ${1 + tried.length}.`,
          value,
          made,
        ),
      ];
    }
    return [];
  });
};

/** Claims: one of two wins, and then owns it. */
export const claims: Check = (calls) =>
  [...grouped(callsOf(calls, "claim"), ({ on }) => on)].flatMap(([task, tries]) => {
    const won = tries.filter(({ outcome }) => outcome === "ok");
    const winners = new Set(won.map(({ id }) => id));
    if (winners.size > 1) {
      return [violation("two holders", `${task} was claimed by two organizations.`, task)];
    }
    return won.slice(0, 1).flatMap(({ id }) => {
      const owned = listedBy(calls, "owned", id);
      if (!owned || owned.some((one) => one.id === task)) return [];
      return [violation("lost", `${task} does not belong to ${id}, which claimed it.`, task, id)];
    });
  });
