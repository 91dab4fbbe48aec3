import type { OutboundError } from "@/lib/platform/outbound/error";
import type { OutboundResponse } from "@/lib/platform/outbound/fetch";
import { RESPONSE_CHARACTERS_MAX } from "./contract";
import { ADDED_HEADERS_BYTES_MAX, withoutSecrets } from "./push-target";
import { type Failure, isRetryable } from "./retry";

/** The result of one attempt, ready to be recorded. */
export interface Outcome {
  delivered: boolean;
  responseStatus: number | null;
  error: string | null;
  /** Seconds from now; null means no further attempt. */
  retryIn: number | null;
  durationMs: number;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  /** Whether a connection was made; null if the target's address is refused. */
  connected: boolean | null;
}

/** An outcome before the next attempt is planned. */
export type Attempt = Omit<Outcome, "retryIn" | "durationMs"> & { failure: Failure | null };

/** The label for metrics, with few values whatever targets return. */
export function outcomeName({ delivered, error }: Pick<Outcome, "delivered" | "error">): string {
  if (delivered) return "delivered";
  const code = error === null ? "unknown" : errorClass(error);
  return code.replace(/^http_(\d)\d\d$/, "http_$1xx");
}

/** The first word of an error, such as `timeout` or `http_503`: nothing that a target wrote. */
export function errorClass(error: string): string {
  return error.split(":")[0] ?? "";
}

/** Nothing is sent. */
export function unsent(error: string, retryable: boolean): Attempt {
  return {
    delivered: false,
    responseStatus: null,
    error,
    responseHeaders: null,
    responseBody: null,
    connected: null,
    failure: { status: null, retryable },
  };
}

/** The outcome of a response. Readers of the message may not learn the added headers from an echo. */
export function outcomeOfResponse(
  { status, headers, body, permission }: OutboundResponse,
  added: [string, string][],
): Attempt {
  const delivered = status >= 200 && status <= 299;
  const hide = withoutSecrets(added);
  // The operator allowed requests to this private address, but not reading its responses.
  const isReadable = permission !== "allowed";
  const responseHeaders = isReadable ? withHidden(headers, hide) : null;
  return {
    delivered,
    responseStatus: status,
    error: delivered ? null : errorOf(status, responseHeaders?.location),
    responseHeaders,
    responseBody: isReadable ? excerpt(body, hide) : null,
    connected: true,
    failure: delivered
      ? null
      : { status, retryAfter: headers["retry-after"], retryable: isRetryable(status) },
  };
}

/** The outcome of a request that failed without a whole response. */
export function outcomeOfError(thrown: OutboundError): Attempt {
  const { failure, message, status, connected, retryAfter } = thrown;
  // If the response is too large, its status still says whether another attempt may succeed.
  const retryable =
    failure === "response_too_large"
      ? status !== null && isRetryable(status)
      : failure !== "blocked_address";
  return {
    delivered: false,
    responseStatus: status,
    error: `${failure}: ${message}`,
    responseHeaders: null,
    responseBody: null,
    connected: failure === "blocked_address" ? null : connected,
    failure: { status, retryAfter, retryable },
  };
}

/**
 * The headers without secrets. Their values are searched together: there may be hundreds, and
 * hundreds of secrets.
 */
function withHidden(headers: Record<string, string>, hide: (text: string) => string) {
  const values = hide(Object.values(headers).join("\n")).split("\n"); // a value has no line break
  return Object.fromEntries(Object.keys(headers).map((name, index) => [name, values[index] ?? ""]));
}

function errorOf(status: number, location: string | undefined): string {
  if (status < 300 || status > 399) return `http_${status}: The target returned ${status}.`;
  const place = location ? ` and points to ${location.slice(0, 500)}` : "";
  return `redirect_not_followed: The target returned ${status}${place}.`;
}

/** Characters have up to four bytes. A secret that begins in the excerpt may end beyond it. */
const SEARCHED_BYTES = 4 * (RESPONSE_CHARACTERS_MAX + ADDED_HEADERS_BYTES_MAX);

/** The body as text that Postgres can store. Secrets are hidden first: a part of one is not found. */
function excerpt(body: Buffer, hide: (text: string) => string): string {
  const text = hide(body.subarray(0, SEARCHED_BYTES).toString("utf8"));
  // The last characters may be the beginning of a secret.
  const whole = body.length > SEARCHED_BYTES ? text.slice(0, -ADDED_HEADERS_BYTES_MAX) : text;
  const characters = [...whole].slice(0, RESPONSE_CHARACTERS_MAX).join("");
  return characters.replaceAll("\0", "\ufffd").toWellFormed();
}
