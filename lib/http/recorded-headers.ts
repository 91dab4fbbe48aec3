import type { HttpRequest } from "./request";

/** Replaces credentials in a record. */
export const REDACTED = "[redacted]";

/** The recorded headers of an untrusted request: JSON objects as text, in two versions. */
export interface RecordedHeaders {
  /** For an owned resource. */
  whole: string;
  /** For a public resource, which anyone with its ID can read; null if the same. */
  redacted: string | null;
}

/**
 * Lower-case names in order of arrival, with repeated values joined; `__proto__` is a normal name.
 * Headers added by proxies are dropped. Our own keys and session cookies are never recorded, since
 * readers of the record could use them.
 */
export function recordedHeaders(
  request: Pick<HttpRequest, "headers" | "viaProxy">,
): RecordedHeaders {
  const recorded = new Map<string, string>();
  let hasCredentials = false;
  for (const [name, value] of request.headers) {
    // Checked last, since it searches the trusted networks.
    if (ADDED_BY_PROXIES.test(name) && (request.viaProxy ?? true)) continue;
    hasCredentials ||= CREDENTIALS.has(name);
    const before = recorded.get(name);
    const separator = name === "cookie" ? "; " : ", ";
    const joined = before === undefined ? value : `${before}${separator}${value}`;
    recorded.set(name, removeOurSecrets(name, joined));
  }
  return {
    whole: JSON.stringify(Object.fromEntries(recorded)),
    redacted: hasCredentials ? JSON.stringify(Object.fromEntries(redact(recorded))) : null,
  };
}

const CREDENTIALS = new Set(["authorization", "proxy-authorization", "cookie"]);
const ADDED_BY_PROXIES = /^(?:forwarded|x-real-ip|x-forwarded-.*|x-vercel-.*)$/;
const OWN_KEY = /\bsvc_(?:live|at)_[0-9A-Za-z]{20,}/g;
const OUR_SESSION = /((?:^|;)\s*(?:__Host-)?session=)[\w-]{43}(?=\s*(?:;|$))/g;

function removeOurSecrets(name: string, value: string): string {
  const withoutKeys = value.includes("svc_") ? value.replace(OWN_KEY, REDACTED) : value;
  return name === "cookie" ? withoutKeys.replace(OUR_SESSION, `$1${REDACTED}`) : withoutKeys;
}

function* redact(recorded: Iterable<[string, string]>): Generator<[string, string]> {
  for (const [name, value] of recorded) yield [name, CREDENTIALS.has(name) ? REDACTED : value];
}

/** Whether a header is a credential for the URL it was sent to. */
export function isCredential(name: string): boolean {
  return CREDENTIALS.has(name);
}
