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
  if (distance < 1) return "now";
  return unix > now ? `in ${span(distance)}` : `${span(distance)} ago`;
}

/** "4 min left", "ended": how long something still lasts that ends at `unix`. */
export function timeLeft(unix: number, now: number): string {
  return unix <= now ? "ended" : `${span(unix - now)} left`;
}

/** "2026-11-21 08:30:00 UTC"; undefined beyond the years that a calendar can show. */
export function exactTime(unix: number): string | undefined {
  if (Math.abs(unix) > 8.64e12) return undefined;
  return `${new Date(unix * 1000).toISOString().replace("T", " ").slice(0, -5)} UTC`;
}

function span(seconds: number): string {
  const unit = UNITS.find((known) => seconds >= known.seconds);
  return unit ? `${Math.floor(seconds / unit.seconds)} ${unit.short}` : `${Math.floor(seconds)} s`;
}
