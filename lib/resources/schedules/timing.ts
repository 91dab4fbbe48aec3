import { Cron } from "croner";
import { quote } from "@/lib/platform/errors";
import { setBounded } from "@/lib/platform/set-bounded";
import { canonicalZone, offsetFormat } from "@/lib/platform/time-zone";
import { NAMED_CRONS } from "./cron-words";

/** When a schedule runs: by `cron` in `timezone`, or at an interval. Times are Unix seconds. */
export interface Timing {
  cron: string | null;
  timezone: string | null;
  every_seconds: number | null;
  /** No run before this time. `every_seconds` counts from it or, if absent, from the creation. */
  starts_at: number | null;
  /** No run at or after this time. */
  ends_at: number | null;
  created_at: number;
}

export const TIMEZONE_DEFAULT = "UTC";

/** The last second of a JavaScript date with a four-digit year. */
export const TIME_MAX = 253_402_300_799;

/** Up to `count` times of a schedule later than `after`, in order, in Unix seconds. */
export function timesAfter(timing: Timing, after: number, count: number): number[] {
  const { starts_at, ends_at } = timing;
  const from = starts_at === null ? after : Math.max(after, starts_at - 1);
  if (from >= TIME_MAX) return [];
  const times =
    timing.cron === null ? everyAfter(timing, from, count) : cronAfter(timing, from, count);
  return ends_at === null ? times : times.filter((time) => time < ends_at);
}

function everyAfter(timing: Timing, from: number, count: number): number[] {
  const { starts_at, created_at } = timing;
  const every = timing.every_seconds ?? Number.POSITIVE_INFINITY;
  const anchor = starts_at ?? created_at;
  const first = Math.max(Math.floor((from - anchor) / every) + 1, starts_at === null ? 1 : 0);
  return Array.from({ length: count }, (_, n) => anchor + (first + n) * every);
}

/**
 * Caches the times of recently used cron lines: finding those of a rare date takes milliseconds,
 * and a list shows many schedules.
 */
function cronAfter({ cron, timezone }: Timing, from: number, count: number): number[] {
  const zone = timezone ?? TIMEZONE_DEFAULT;
  const key = `${count} ${zone} ${cron}`;
  const known = remembered.get(key);
  if (known && known.from <= from && from < (known.times[0] ?? TIME_MAX)) return [...known.times];
  // croner keeps a format for each name that it is given, for ever.
  const times = search(cron ?? "", canonicalZone(zone), from, count);
  setBounded(remembered, key, { from, times }, REMEMBERED_MAX);
  return [...times];
}

/**
 * Whether a cron expression ever occurs in a time zone after a time: each change of the clocks may skip
 * what occurs in UTC. They change on a quarter of an hour, so one minute of each quarter is searched.
 */
export function occurs(cron: string, zone: string, from: number): boolean {
  const [minute = "", ...others] = (NAMED_CRONS[cron] ?? cron).split(/ +/);
  const line = cronOf(`${minute} * * * *`, TIMEZONE_DEFAULT);
  const minutes = Array.from({ length: 60 }, (_, at) => at);
  const firsts = minutes
    .filter((at) => line.match(new Date(at * 60_000)))
    .filter((at, index, all) => Math.floor(at / 15) !== Math.floor((all[index - 1] ?? -1) / 15))
    // A step keeps a time that is skipped from running after the gap.
    .map((at) => (/[*/]/.test(minute) ? `${at}-${at}/1` : at));
  const coarse = [firsts.join(","), ...others].join(" ");
  return search(coarse, canonicalZone(zone), from, 1).length > 0;
}

/**
 * Searches a zone only for some years after the next time in UTC. A time that each change of the
 * clocks skips occurs in UTC alone, and croner would look for it until the last year, for seconds.
 */
function search(cron: string, zone: string, from: number, count: number): number[] {
  const yearInUtc = (after: number) => {
    const date = new Date(after * 1000);
    const year = Math.min(date.getUTCFullYear(), YEAR_MAX);
    // Without years, croner stops before the year 3000.
    const years = `${year}-${Math.min(year + YEARS_OF_RARE, YEAR_MAX)}`;
    return cronOf(cron, TIMEZONE_DEFAULT, years).nextRun(date)?.getUTCFullYear();
  };
  // A zone is less than a day from UTC.
  const first = yearInUtc(from - DAY);
  if (first === undefined) return [];
  const last = Math.min((yearInUtc(from + DAY) ?? first) + YEARS, YEAR_MAX);
  return cronOf(cron, zone, `${first}-${last}`)
    .nextRuns(count, new Date(from * 1000))
    .map((date) => date.getTime() / 1000);
}

const DAY = 86_400;
/**
 * How many years of a zone are searched after the next time in UTC. Times that the clocks skip in
 * every one of so many years in a row are not found.
 */
const YEARS = 12;
/** Monday, 29 February, comes within 40 years. */
const YEARS_OF_RARE = 100;
const YEAR_MAX = 9999;

const REMEMBERED_MAX = 10_000;
const remembered = new Map<string, { from: number; times: number[] }>();

/**
 * When clocks are set forward, a fixed time of day that is skipped runs at the first time after the
 * gap. When they are set back, it runs only the first time. With `*` or a step, runs follow local
 * time: none in the gap, and all of them in the repeated hour.
 */
function cronOf(cron: string, timezone: string, years?: string): Cron {
  const options = { timezone, fixedTimeRule: "no-wildcard" } as const;
  if (years === undefined) return new Cron(cron, { ...options, mode: "5-part" });
  return new Cron(`0 ${NAMED_CRONS[cron] ?? cron} ${years}`, { ...options, mode: "7-part" });
}

/** The problem with a cron expression, as a predicate; undefined if it is valid. */
export function cronProblem(cron: string): string | undefined {
  // croner also accepts dates, and six fields with seconds.
  if (!FIVE_FIELDS.test(cron)) {
    return 'must have five fields: minute, hour, day of month, month and day of week, such as "0 9 * * MON-FRI", or be @hourly, @daily, @weekly, @monthly or @yearly';
  }
  const fields = cron.split(/ +/);
  if (fields.length === FIELDS.length) {
    for (const [index, { name, values }] of FIELDS.entries()) {
      const alone = FIELDS.map((_, at) => (at === index ? fields[index] : "*")).join(" ");
      if (isCron(alone)) continue;
      return `has an invalid ${name}, ${quote(fields[index] ?? "")}: ${values}, with "*", ",", "-" and "/"`;
    }
  }
  try {
    // Within a century dates repeat after 28 years, and croner stops before the year 3000.
    // Searching more years for a date that never occurs takes long.
    const [next] = cronOf(cron, TIMEZONE_DEFAULT).nextRuns(1, new Date("2971-12-31T23:59:59Z"));
    return next ? undefined : "never occurs: no date matches it";
  } catch {
    return "is not a cron expression";
  }
}

/** croner names a field by its number, and quotes its value with names replaced. */
const FIELDS = [
  { name: "minute", values: "0 to 59" },
  { name: "hour", values: "0 to 23" },
  { name: "day of month", values: "1 to 31, or L for the last" },
  { name: "month", values: "1 to 12, or JAN to DEC" },
  { name: "day of week", values: "0 to 7, or SUN to SAT" },
];

function isCron(cron: string): boolean {
  try {
    cronOf(cron, TIMEZONE_DEFAULT);
    return true;
  } catch {
    return false;
  }
}

const FIVE_FIELDS = /^(\S+ +\S+ +\S+ +\S+ +\S+|@(hourly|daily|weekly|monthly|yearly))$/;

/** Whether it is the name of an IANA time zone. */
export function isTimezone(name: string): boolean {
  // Intl also accepts offsets such as +05:00, which have no daylight-saving rules.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    offsetFormat(name);
    return true;
  } catch {
    return false;
  }
}
