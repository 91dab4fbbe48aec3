/** `12 ms`, `3.4 s`. */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** `40 s`, `12 min`, `3 h`, `2 days`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** Unix seconds as an ISO time. */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  // Some years are beyond the range of Date.
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
