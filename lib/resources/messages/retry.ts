export const DELAYS_SECONDS = [60, 300, 1800, 7200];
export const JITTER = 0.1;
export const RETRY_AFTER_SECONDS_MAX = 86_400;

export interface Failure {
  /** Null if there was no response. */
  status: number | null;
  retryAfter?: string | undefined;
  /** True if another attempt may succeed. */
  retryable: boolean;
}

interface Attempts {
  attempt: number;
  attemptsMax: number;
  now: number;
  /** Defaults to the usual delays. */
  delays?: readonly number[];
}

/**
 * Seconds until the next attempt, or null if the failure is permanent or no attempts are left.
 * `attempt` counts from 1; `now` is the database's time.
 */
export function secondsToRetry(
  failure: Failure,
  { attempt, attemptsMax, now, delays = DELAYS_SECONDS }: Attempts,
): number | null {
  if (!failure.retryable || attempt >= attemptsMax) return null;
  const retryAfter =
    failure.status === 429 || failure.status === 503 ? parse(failure.retryAfter, now) : undefined;
  if (retryAfter !== undefined) return Math.min(Math.max(retryAfter, 1), RETRY_AFTER_SECONDS_MAX);
  const delay = delays[attempt - 1] ?? delays.at(-1) ?? 0;
  return Math.round(delay * (1 - JITTER + 2 * JITTER * Math.random()));
}

/** Whether a non-2xx status is worth a retry. */
export function isRetryable(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status <= 599);
}

/**
 * `Retry-After` in seconds from now (RFC 9110 §10.2.3); undefined when invalid. A date without a zone, as in
 * asctime's format, is in UTC. Adds a second, because the next attempt is planned in whole seconds and part of the
 * current one has passed.
 */
function parse(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) + 1;
  const zoned = / \d{4}$|:\d\d:\d\d$/.test(text) ? `${text} GMT` : text;
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(zoned) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.ceil(date / 1000 - now);
}
