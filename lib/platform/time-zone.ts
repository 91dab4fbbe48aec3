import { setBounded } from "@/lib/platform/set-bounded";

/** Formats by the name of the zone as callers write it. Letter case alone gives one zone many names. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** A format takes some 40 kB. */
const FORMATS_MAX = 100;

/** A format with the offset of an IANA time zone at its end. Throws if there is no such zone. */
export function offsetFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  setBounded(formats, zone, format, FORMATS_MAX);
  return format;
}

/** One name for all spellings of a time zone. */
export function canonicalZone(zone: string): string {
  return offsetFormat(zone).resolvedOptions().timeZone;
}
