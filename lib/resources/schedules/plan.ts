import { MISSED_AFTER_SECONDS } from "./contract";
import { isExhausted, type ScheduleRow } from "./serialize";
import { timesAfter } from "./timing";

/** More than there can be within `MISSED_AFTER_SECONDS`. */
const TIMES_MAX = 10;

export interface Plan {
  /** The nominal times to run now, in order. */
  times: number[];
  /** When to check again; null for never. */
  next: number | null;
}

/**
 * The times to run at `now`: every time since the last check that was not missed. With `catch_up:
 * once`, the first missed time also runs, on behalf of all of them.
 */
export function planOf(row: ScheduleRow, now: number): Plan {
  if (row.paused || isExhausted(row)) return { times: [], next: null };
  const missedUntil = now - MISSED_AFTER_SECONDS;
  const recent = timesAfter(row, Math.max(row.checked_until, missedUntil), TIMES_MAX);
  const [first] = row.checked_until < missedUntil ? timesAfter(row, row.checked_until, 1) : [];
  const isMissed = row.catch_up === "once" && first !== undefined && first <= missedUntil;
  return {
    times: [...(isMissed ? [first] : []), ...recent.filter((time) => time <= now)],
    next: timesAfter(row, Math.max(now, row.checked_until), 1)[0] ?? null,
  };
}
