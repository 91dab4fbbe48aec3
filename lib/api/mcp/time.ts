/** The names of the fields with a time. */
const TIME = /_(at|before|after)$/;

/** RFC 3339, or a date alone, which begins at midnight in UTC. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d))?$/;

export function isTime(name: string): boolean {
  return TIME.test(name);
}

/** A written time as Unix seconds, which models seldom get right; anything else unchanged. */
export function secondsOf(name: string, value: unknown): unknown {
  if (typeof value !== "string" || !isTime(name)) return value;
  const [written, day = ""] = WRITTEN.exec(value) ?? [];
  if (written === undefined || !isDay(day)) return value;
  const ms = Date.parse(written.toUpperCase().replace(" ", "T"));
  return Number.isNaN(ms) ? value : Math.floor(ms / 1000);
}

/** `Date` takes February 30 as March 2. */
function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
