import type { HttpRequest } from "./request";

/** In place of what a record must not give away. */
export const REDACTED = "[redacted]";

/** The headers of a stranger's request as they are kept: JSON objects as text, in two versions. */
export interface RecordedHeaders {
  /** For a resource that an organization owns. */
  whole: string;
  /** For a public resource, which everyone reads who knows its ID; null: the same. */
  redacted: string | null;
}

/**
 * Lower-case names in the order of arrival, repeated values joined; `__proto__` is a name like any
 * other. What a proxy may have added is left out. Our own keys and session cookies are never kept:
 * anyone who reads the record could use them here.
 */
export function recordedHeaders(
  request: Pick<HttpRequest, "headers" | "viaProxy">,
): RecordedHeaders {
  const recorded = new Map<string, string>();
  let hasCredentials = false;
  for (const [name, value] of request.headers) {
    // Whether it is a proxy costs a search of the trusted addresses, so it is asked last.
    if (ADDED_BY_PROXIES.test(name) && (request.viaProxy ?? true)) continue;
    hasCredentials ||= CREDENTIALS.has(name);
    const before = recorded.get(name);
    const separator = name === "cookie" ? "; " : ", ";
    const joined = before === undefined ? value : `${before}${separator}${value}`;
    recorded.set(name, withoutOurs(name, joined));
  }
  return {
    whole: JSON.stringify(Object.fromEntries(recorded)),
    redacted: hasCredentials ? JSON.stringify(Object.fromEntries(redact(recorded))) : null,
  };
}

const CREDENTIALS = new Set(["authorization", "proxy-authorization", "cookie"]);
const ADDED_BY_PROXIES = /^(?:forwarded|x-real-ip|x-forwarded-.*|x-vercel-.*)$/;
const OUR_KEY = /\bsvc_(?:live|at)_[0-9A-Za-z]{20,}/g;
const OUR_SESSION = /((?:^|;)\s*(?:__Host-)?session=)[\w-]{43}(?=\s*(?:;|$))/g;

function withoutOurs(name: string, value: string): string {
  const withoutKeys = value.includes("svc_") ? value.replace(OUR_KEY, REDACTED) : value;
  return name === "cookie" ? withoutKeys.replace(OUR_SESSION, `$1${REDACTED}`) : withoutKeys;
}

function* redact(recorded: Iterable<[string, string]>): Generator<[string, string]> {
  for (const [name, value] of recorded) yield [name, CREDENTIALS.has(name) ? REDACTED : value];
}

/** Whether a header is for the address it was sent to, and for no other. */
export function isCredential(name: string): boolean {
  return CREDENTIALS.has(name);
}
