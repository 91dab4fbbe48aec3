import { wordList } from "@/lib/platform/http/issue-message";

/**
 * A cron expression in words, such as "Every day at 09:00"; undefined for one that words would not
 * make clearer.
 */
export function cronWords(cron: string): string | undefined {
  const fields = (NAMED_CRONS[cron] ?? cron).toUpperCase().split(/ +/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5) return undefined;
  const days = dayWords(day, month, weekday);
  if (days === undefined) return undefined;
  const interval = intervalWords(minute, hour);
  if (interval !== undefined) return [interval, days].filter(Boolean).join(" ");
  const times = timesOf(minute, hour);
  if (times === undefined) return undefined;
  if (days === "") return `Every day at ${times}`;
  return `At ${times} ${days}`;
}

/** The five fields of each expression that has a name. */
export const NAMED_CRONS: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
};

/** "Every 5 minutes"; undefined if it is not an interval. */
function intervalWords(minute: string, hour: string): string | undefined {
  const every = stepOf(minute, 60);
  if (every !== undefined) {
    const words = every === 1 ? "Every minute" : `Every ${every} minutes`;
    if (hour === "*") return words;
    const [from, to] = /^(\d+)-(\d+)$/.exec(hour)?.slice(1).map(Number) ?? [];
    if (from === undefined || to === undefined) return undefined;
    return `${words} from ${clock(from, 0)} to ${clock(to, 59)}`;
  }
  const hours = stepOf(hour, 24);
  if (hours === undefined || !/^\d+$/.test(minute)) return undefined;
  const words = hours === 1 ? "Every hour" : `Every ${hours} hours`;
  return Number(minute) === 0 ? words : `${words} at minute ${Number(minute)}`;
}

/** The step of a field that divides its range evenly. */
function stepOf(field: string, range: number): number | undefined {
  const step = field === "*" ? 1 : Number(/^(?:\*|0)\/(\d+)$/.exec(field)?.[1]);
  return step > 0 && range % step === 0 ? step : undefined;
}

const TIMES_MAX = 4;

/** "09:00 and 17:00"; undefined if they are not a few fixed times. */
function timesOf(minute: string, hour: string): string | undefined {
  const [minutes, hours] = [minute, hour].map((field) =>
    /^\d+(,\d+)*$/.test(field) ? field.split(",").map(Number) : [],
  );
  const times = (hours ?? []).flatMap((h) => (minutes ?? []).map((m) => clock(h, m)));
  return times.length === 0 || times.length > TIMES_MAX ? undefined : wordList(times.sort(), "and");
}

/** "on weekdays", or nothing for every day; undefined if it cannot be said in a few words. */
function dayWords(day: string, month: string, weekday: string): string | undefined {
  const months = month === "*" ? "" : namesOf(month, MONTHS, 1);
  if (months === undefined) return undefined;
  const inMonths = months && ` in ${months}`;
  if (day !== "*" && weekday !== "*") return undefined; // either of them
  if (weekday !== "*") {
    const days = weekdayWords(weekday);
    return days && `${days}${inMonths}`;
  }
  if (day === "*") return inMonths.trim();
  if (!/^(\d+(,\d+)*|L)$/.test(day)) return undefined;
  const days = wordList(
    day.split(",").map((one) => (one === "L" ? "last day" : ordinal(Number(one)))),
    "and",
  );
  return `on the ${days} of ${months || "each month"}`;
}

function weekdayWords(weekday: string): string | undefined {
  if (weekday === "MON-FRI" || weekday === "1-5") return "on weekdays";
  if (/^(SAT,SUN|SUN,SAT|0,6|6,0|6,7|6-7)$/.test(weekday)) return "on Saturday and Sunday";
  const days = namesOf(weekday, WEEKDAYS, 0);
  return days && `on ${days}`;
}

/** The names in a list such as `MON,3`; undefined for ranges and steps. */
function namesOf(field: string, names: readonly string[], first: number): string | undefined {
  const found = field.split(",").map((one) => {
    const place = /^\d+$/.test(one)
      ? Number(one) - first
      : names.findIndex((name) => name.toUpperCase().slice(0, 3) === one);
    return names[place % names.length];
  });
  return found.every((name) => name !== undefined) ? wordList(found, "and") : undefined;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

function clock(hour: number, minute: number): string {
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
}

function ordinal(day: number): string {
  const ending = [11, 12, 13].includes(day % 100)
    ? "th"
    : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
}
