import { type Check, type Violation, violation } from "./checks/check";
import { claims, messages, schedules } from "./checks/deliveries";
import { feed } from "./checks/feed";
import { captures, queues } from "./checks/queues";
import { pool, registers } from "./checks/tasks";
import { type Call, lineOf } from "./log";

/** No request may fail in a way that the service does not explain. */
const failures: Check = (calls) =>
  calls
    .filter(({ status = 0 }) => status === 500)
    .map(({ client, op, on, began }) =>
      violation("wrong", `${op} of ${client} at ${began.toFixed(0)} ms got 500.`, on, client),
    );

const CHECKS: readonly Check[] = [
  queues,
  captures,
  registers,
  pool,
  messages,
  schedules,
  claims,
  feed,
  failures,
];

interface Verdict extends Violation {
  /** The fewest calls that show it. */
  calls: Call[];
}

/** Checks a log. Of the first violations of these kinds, returns the smallest part of the log that shows each. */
export function judge(
  calls: readonly Call[],
  { kinds, max = 3 }: { kinds?: readonly Violation["kind"][]; max?: number } = {},
): { count: number; verdicts: Verdict[] } {
  const all = CHECKS.flatMap((check) => check(calls).map((one) => ({ check, one })));
  const wanted = all.filter(({ one }) => kinds?.includes(one.kind) ?? true).slice(0, max);
  const verdicts = wanted.map(({ check, one }) => ({ ...one, calls: smallest(check, calls, one) }));
  return { count: all.length, verdicts };
}

/** For people: what is broken, and the calls that show it. */
export function textOf({ kind, what, calls }: Verdict): string {
  return [`${kind}: ${what}`, ...calls.map((call) => `  ${lineOf(call)}`)].join("\n");
}

/** Leaves out what does not concern the violation, then as many of the other calls as possible. */
function smallest(check: Check, calls: readonly Call[], { kind, about }: Violation): Call[] {
  const shows = (part: readonly Call[]) =>
    check(part).some((one) => one.kind === kind && one.about[0] === about[0]);
  const names = new Set(about);
  const cut = calls.flatMap((call) => {
    const found = call.found.filter(({ id, value, lease }) =>
      [id, value, lease].some((name) => name !== undefined && names.has(name)),
    );
    const isNamed = [call.on, call.value, call.id, call.lease].some((name) =>
      names.has(name ?? ""),
    );
    const isNeeded =
      found.length > 0 || isNamed || ["reader", "faults", "setup"].includes(call.client);
    return isNeeded ? [{ ...call, found: call.op === "follow" ? call.found : found }] : [];
  });
  let kept = shows(cut) ? cut : [...calls];
  for (let size = kept.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < kept.length; ) {
      const without = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (shows(without)) kept = without;
      else at += size;
    }
  }
  return kept;
}
