import { localTime, offsetAt } from "@/lib/api/forms/local-time";

/** The formats of `Time`. The text stays up to date while the page is open. */
export const timeFormats = { distance: relativeTime, countdown, due: timeDue, left: timeLeft };
export type TimeFormat = keyof typeof timeFormats;

const UNITS = [
  { seconds: 86_400 * 365, short: "y" },
  { seconds: 86_400 * 30, short: "mo" },
  { seconds: 86_400, short: "d" },
  { seconds: 3600, short: "h" },
  { seconds: 60, short: "min" },
];

/** "3 min ago", "in 2 d", "now": the distance between two instants in Unix seconds. */
function relativeTime(unix: number, now: number): string {
  const distance = Math.abs(unix - now);
  if (distance < 1) return "now";
  return unix > now ? `in ${span(distance)}` : `${span(distance)} ago`;
}

/** "4 min left", "ended": the time left until `unix`. */
function timeLeft(unix: number, now: number): string {
  return unix <= now ? "ended" : `${span(unix - now)} left`;
}

/** "in 2 h 59 min": a future time in its largest unit and the next one, a past one in its largest. */
function countdown(unix: number, now: number): string {
  const seconds = Math.floor(unix - now);
  if (seconds < 60) return relativeTime(unix, now);
  return `in ${parts(seconds, 2).join(" ")}`;
}

/** "1 d", "1 h 30 min": a length of time in seconds, to the second. */
export function duration(seconds: number): string {
  return parts(seconds).join(" ") || "0 s";
}

/** A countdown to a request, which then waits for its turn. */
function timeDue(unix: number, now: number): string {
  return unix <= now ? "now" : countdown(unix, now);
}

/** From the largest unit on, at most so many units, without those that are 0. */
function parts(seconds: number, most = UNITS.length + 1): string[] {
  let left = seconds;
  let units = 0;
  const found: string[] = [];
  for (const unit of [...UNITS, { seconds: 1, short: "s" }]) {
    const amount = Math.floor(left / unit.seconds);
    left -= amount * unit.seconds;
    if (amount > 0) found.push(`${amount} ${unit.short}`);
    if (found.length > 0) units += 1;
    if (units === most) break;
  }
  return found;
}

/** "2026-11-21 08:30:00 UTC"; undefined outside the range of a Date. */
export function utcTime(unix: number): string | undefined {
  if (Math.abs(unix) > 8.64e12) return undefined;
  return `${new Date(unix * 1000).toISOString().replace("T", " ").slice(0, -5)} UTC`;
}

/** "2026-11-21 09:30:00 GMT+1, 2026-11-21 08:30:00 UTC", without the first part in UTC. */
export function exactTime(unix: number, zone: string): string | undefined {
  const local = localTime(unix, zone).replace("T", " ");
  const utc = utcTime(unix);
  return zone === "UTC" || local === "" ? utc : `${local} ${zoneLabel(unix, zone)}, ${utc}`;
}

export const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** "09:30:00" on the day of `now`, "21 Nov 09:30" in its year, else "21 Nov 2025"; or undefined. */
export function shortTime(unix: number, zone: string, now: number): string | undefined {
  const local = localTime(unix, zone);
  if (local === "") return undefined;
  const today = localTime(now, zone);
  if (local.slice(0, 10) === today.slice(0, 10)) return local.slice(11);
  const date = `${Number(local.slice(8, 10))} ${MONTHS[Number(local.slice(5, 7)) - 1]}`;
  const year = local.slice(0, 4);
  return year === today.slice(0, 4) ? `${date} ${local.slice(11, 16)}` : `${date} ${year}`;
}

/** "GMT+5:30": a time zone's offset at an instant. */
export function zoneLabel(unix: number, zone: string): string {
  if (zone === "UTC") return zone;
  const offset = offsetAt(unix, zone);
  if (offset === 0) return "GMT";
  const minutes = Math.round(Math.abs(offset) / 60);
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return `GMT${offset < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

function span(seconds: number): string {
  const unit = UNITS.find((known) => seconds >= known.seconds);
  return unit ? `${Math.floor(seconds / unit.seconds)} ${unit.short}` : `${Math.floor(seconds)} s`;
}
