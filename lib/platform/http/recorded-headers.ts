import { config } from "@/lib/platform/config/config";
import { SENT_FOR_HEADER } from "./relayed";
import type { HttpRequest } from "./request";

/** Replaces credentials in a record. */
export const REDACTED = "[redacted]";

/** The headers of an untrusted request in two versions, each the text of a JSON object. */
export interface RecordedHeaders {
  /** The version for an owned resource. */
  whole: string;
  /** The version for a public resource, which anyone may read; null if they are the same. */
  redacted: string | null;
}

export const RECORDED_HEADERS_MAX = 500;
/** Marks a record that left out headers. No real header has this name. */
const MORE = "";

/**
 * Lower-case names in order of arrival, with repeated values joined; `__proto__` is a normal name.
 * Headers added by proxies or by us are dropped. The service's own keys, tokens and session cookies are
 * never recorded, since readers of the record could use them.
 */
export function recordedHeaders(
  request: Pick<HttpRequest, "headers" | "viaProxy">,
): RecordedHeaders {
  const recorded = new Map<string, string[]>();
  let hasMore = false;
  for (const [name, value] of request.headers) {
    if (name === SENT_FOR_HEADER) continue;
    // Checked last, since it searches the trusted networks.
    if (ADDED_BY_PROXIES.test(name) && (request.viaProxy ?? true)) continue;
    const values = recorded.get(name);
    if (values) values.push(value);
    else {
      if (recorded.size === RECORDED_HEADERS_MAX) {
        hasMore = true;
        // `Origin` is always kept: it decides where the request may be forwarded to.
        if (name !== "origin") continue;
        recorded.delete([...recorded.keys()].at(-1) ?? "");
      }
      recorded.set(name, [value]);
    }
  }
  const whole: [string, string][] = [];
  let hasCredentials = false;
  // Joined once: a name may repeat thousands of times.
  for (const [name, values] of recorded) {
    hasCredentials ||= CREDENTIALS.has(name);
    whole.push([name, removeOurSecrets(name, values.join(name === "cookie" ? "; " : ", "))]);
  }
  return {
    whole: recordOf(whole, hasMore),
    redacted: hasCredentials ? recordOf(redact(whole), hasMore) : null,
  };
}

export function recordedResponseHeaders(headers: Record<string, string>): string {
  const entries = Object.entries(headers);
  return recordOf(entries.slice(0, RECORDED_HEADERS_MAX), entries.length > RECORDED_HEADERS_MAX);
}

function recordOf(headers: Iterable<[string, string]>, hasMore: boolean): string {
  return JSON.stringify(Object.fromEntries([...headers, ...(hasMore ? [[MORE, ""]] : [])]));
}

interface KeptHeaders {
  headers: Record<string, string>;
  /** True if some were left out. */
  headers_truncated: boolean;
}

export function readHeaders(record: string): KeptHeaders {
  // Names are untrusted; `JSON.parse` and `fromEntries` treat `__proto__` as a normal key.
  return keptHeaders(JSON.parse(record));
}

/** The headers of a record as JSON. Most records are returned as they are, unread. */
export function headersJson(record: string): { headers: string; headers_truncated: boolean } {
  // So short a record has no more headers than are shown: each takes six characters or more.
  if (record.length < 6 * RECORDED_HEADERS_MAX && !record.includes(`"${MORE}":`)) {
    return { headers: record, headers_truncated: false };
  }
  const { headers, headers_truncated } = readHeaders(record);
  return { headers: JSON.stringify(headers), headers_truncated };
}

/** The headers of a record. One from an earlier version may have any number. */
export function keptHeaders(record: Record<string, string>): KeptHeaders {
  if (!(MORE in record) && Object.keys(record).length <= RECORDED_HEADERS_MAX) {
    return { headers: record, headers_truncated: false };
  }
  const { [MORE]: _, ...headers } = record;
  const first = Object.entries(headers).slice(0, RECORDED_HEADERS_MAX);
  return { headers: Object.fromEntries(first), headers_truncated: true };
}

const CREDENTIALS = new Set(["authorization", "proxy-authorization", "cookie"]);
const ADDED_BY_PROXIES = /^(?:forwarded|x-real-ip|x-forwarded-.*|x-vercel-.*)$/;
/**
 * Keys, OAuth tokens and codes, and claim tokens. A key that was `BOOTSTRAP_API_KEY` may still be valid, with
 * any printable characters, so one that we did not issue ends at a space, or at the comma or semicolon before it.
 * If it begins with exactly 38 letters and digits, like ours, what follows them stays: it is of no use alone.
 */
const OUR_SECRET =
  /svc_live_[0-9A-Za-z]{38}(?![0-9A-Za-z])|svc_live_[!-~]{20,}?(?=[,;]?(?:[^!-~]|$))|(?:svc_[a-z]+|clm)_[0-9A-Za-z]{20,}/g;
const MAY_BE_OURS = /svc_|clm_/;
const OUR_SESSION = /((?:^|;)\s*(?:__Host-)?session=)[\w-]{43}(?=\s*(?:;|$))/g;

function removeOurSecrets(name: string, value: string): string {
  // First, since what is removed for a key may have the `;` before a session.
  const kept = name === "cookie" ? value.replace(OUR_SESSION, `$1${REDACTED}`) : value;
  if (!MAY_BE_OURS.test(kept)) return kept;
  const { bootstrapApiKey } = config();
  const others = bootstrapApiKey === undefined ? kept : kept.replaceAll(bootstrapApiKey, REDACTED);
  return others.replace(OUR_SECRET, REDACTED);
}

function* redact(recorded: Iterable<[string, string]>): Generator<[string, string]> {
  for (const [name, value] of recorded) yield [name, CREDENTIALS.has(name) ? REDACTED : value];
}

/** Whether a header is a credential for the URL it was sent to. */
export function isCredential(name: string): boolean {
  return CREDENTIALS.has(name);
}
