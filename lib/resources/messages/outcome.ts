import type { OutboundError } from "@/lib/platform/outbound/error";
import type { OutboundResponse } from "@/lib/platform/outbound/fetch";
import { RESPONSE_CHARACTERS_MAX } from "./contract";
import { withoutSecrets } from "./push-target";
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

/** The outcome of a response. */
export function outcomeOfResponse({
  status,
  headers,
  body,
  permission,
}: OutboundResponse): Attempt {
  const delivered = status >= 200 && status <= 299;
  return {
    delivered,
    responseStatus: status,
    error: delivered ? null : errorOf(status, headers),
    responseHeaders: headers,
    // The operator allowed requests to this private address, but not reading its responses.
    responseBody: permission === "allowed" ? null : excerpt(body),
    connected: true,
    failure: delivered
      ? null
      : { status, retryAfter: headers["retry-after"], retryable: isRetryable(status) },
  };
}

/** The outcome of a request that failed without a whole response. */
export function outcomeOfError(thrown: OutboundError): Attempt {
  const { failure, message, status, connected, retryAfter } = thrown;
  // Of a response that is too large, the status still says whether another attempt may succeed.
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

/** Readers of the message may not learn the headers from a target that returns them. */
export function withoutEcho(outcome: Attempt, added: [string, string][]): Attempt {
  if (added.length === 0) return outcome;
  const { error, responseHeaders, responseBody } = outcome;
  const hide = withoutSecrets(added);
  return {
    ...outcome,
    error: error && hide(error),
    responseHeaders:
      responseHeaders &&
      Object.fromEntries(
        Object.entries(responseHeaders).map(([name, value]) => [name, hide(value)]),
      ),
    responseBody: responseBody && hide(responseBody),
  };
}

function errorOf(status: number, headers: Record<string, string>): string {
  if (status < 300 || status > 399) return `http_${status}: The target returned ${status}.`;
  const location = headers.location?.slice(0, 500);
  return `redirect_not_followed: The target returned ${status}${location ? ` and points to ${location}` : ""}.`;
}

/** The body as text that Postgres can store. */
function excerpt(body: Buffer): string {
  const text = body.subarray(0, RESPONSE_CHARACTERS_MAX * 4).toString("utf8");
  const characters = [...text].slice(0, RESPONSE_CHARACTERS_MAX).join("");
  return characters.replaceAll("\0", "\ufffd").toWellFormed();
}
