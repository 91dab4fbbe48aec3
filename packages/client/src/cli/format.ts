/** `12 ms`, `3.4 s`. */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Unix seconds as an ISO time. */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  // Some years are beyond the range of Date.
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
