import { offsetFormat } from "@/lib/platform/time-zone";

/** The range of a `datetime-local` field: the years 1 to 9999. */
const MIN = -62_135_596_800;
const MAX = 253_402_300_799;
const DAY = 86_400;

/** How many seconds the clocks of an IANA time zone are ahead of UTC at an instant in Unix seconds. */
export function offsetAt(unix: number, zone: string): number {
  if (zone === "UTC") return 0;
  const text = offsetFormat(zone).format(unix * 1000);
  const [, sign, hours, minutes, seconds] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0);
  return sign === "-" ? -offset : offset;
}

/** A time zone's clocks at a Unix time: `2026-11-21T08:30:00`; empty outside years 1 to 9999. */
export function localTime(unix: number | null | undefined, zone: string): string {
  if (unix === null || unix === undefined || unix - DAY < MIN || unix + DAY > MAX) return "";
  return new Date((unix + offsetAt(unix, zone)) * 1000).toISOString().slice(0, 19);
}

/**
 * The instant in Unix seconds at which the clocks of a time zone show `2026-11-21T08:30`, with or
 * without seconds; undefined if the text is not a date and time. A time that occurs twice, when
 * clocks are set back, means the first; a time that is skipped moves later by the length of the
 * gap.
 */
export function instantAt(local: string, zone: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(local)) return undefined;
  const clock = Math.floor(Date.parse(`${local}Z`) / 1000);
  if (Number.isNaN(clock)) return undefined;
  const before = clock - offsetAt(clock - DAY, zone);
  const after = clock - offsetAt(clock + DAY, zone);
  const shows = (unix: number) => unix + offsetAt(unix, zone) === clock;
  return shows(before) || !shows(after) ? before : after;
}
