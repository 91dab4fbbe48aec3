import { invalidParam } from "@/lib/platform/errors";

/** The names of the fields with a time. */
const TIME = /_(at|before|after)$/;

/** RFC 3339, or a date alone, which begins at midnight in UTC. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d))?$/;

export function isTime(name: string): boolean {
  return TIME.test(name);
}

/** A written time as Unix seconds, which models seldom get right. Throws 400 for another text. */
export function secondsOf(name: string, value: unknown): unknown {
  if (typeof value !== "string" || !isTime(name) || /^-?\d+$/.test(value)) return value;
  const [written = "", day = ""] = WRITTEN.exec(value) ?? [];
  const ms = isDay(day) ? Date.parse(written.toUpperCase().replace(" ", "T")) : Number.NaN;
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000);
  const example = "RFC 3339 with a time zone, such as 2027-01-01T09:00:00Z";
  throw invalidParam(name, `"${name}" must be an integer in Unix seconds, or ${example}.`);
}

/** `Date` takes February 30 as March 2. */
function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
