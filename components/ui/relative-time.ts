const UNITS = [
  { seconds: 86_400 * 365, short: "y" },
  { seconds: 86_400 * 30, short: "mo" },
  { seconds: 86_400, short: "d" },
  { seconds: 3600, short: "h" },
  { seconds: 60, short: "min" },
];

/** "3 min ago", "in 2 d", "now": the distance between two instants in Unix seconds. */
export function relativeTime(unix: number, now: number): string {
  const distance = Math.abs(unix - now);
  const unit = UNITS.find(({ seconds }) => distance >= seconds);
  const amount = unit
    ? `${Math.floor(distance / unit.seconds)} ${unit.short}`
    : `${Math.floor(distance)} s`;
  if (distance < 1) return "now";
  return unix > now ? `in ${amount}` : `${amount} ago`;
}

/** "in 2 h 59 min", "in 4 min 10 s": a time to come by its two largest units; what is past, by one. */
export function countdown(unix: number, now: number): string {
  const seconds = Math.floor(unix - now);
  if (seconds < 60) return relativeTime(unix, now);
  return `in ${parts(seconds).slice(0, 2).join(" ")}`;
}

/** "1 d", "1 h 30 min": a length of time in seconds, to the second. */
export function duration(seconds: number): string {
  return parts(seconds).join(" ") || "0 s";
}

function parts(seconds: number): string[] {
  let left = seconds;
  const found: string[] = [];
  for (const unit of [...UNITS, { seconds: 1, short: "s" }]) {
    const amount = Math.floor(left / unit.seconds);
    left -= amount * unit.seconds;
    if (amount > 0) found.push(`${amount} ${unit.short}`);
  }
  return found;
}

/** "2026-11-21 08:30:00 UTC"; undefined beyond the years that a calendar can show. */
export function exactTime(unix: number): string | undefined {
  if (Math.abs(unix) > 8.64e12) return undefined;
  return `${new Date(unix * 1000).toISOString().replace("T", " ").slice(0, -5)} UTC`;
}
