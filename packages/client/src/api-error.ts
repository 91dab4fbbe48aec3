import type { ErrorCode, ErrorType } from "./schema.js";

/** A name that only a newer service has. Written so that editors still complete the known names. */
type NewerName = string & Record<never, never>;

/** The service refused a request, or something other than the service responded. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /**
   * `invalid_request_error`, `rate_limit_error` and so on; `invalid_response` if the response did
   * not come from the service.
   */
  readonly type: ErrorType | "invalid_response" | NewerName;
  /** Stable: branch on this. */
  readonly code: ErrorCode | "not_modified" | "invalid_response" | NewerName;
  /** The offending property or parameter, such as `labels.3`. */
  readonly param: string | null;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** The page that explains the error. */
  readonly docUrl: string | null;
  /** Seconds to wait before the next try, if the service named them. */
  readonly retryAfter: number | null;

  constructor(message: string, fields: Partial<Omit<ApiError, keyof Error>> & { status: number }) {
    super(printable(message));
    this.status = fields.status;
    this.type = fields.type ?? "invalid_response";
    this.code = fields.code ?? "invalid_response";
    this.param = fields.param ?? null;
    this.requestId = fields.requestId ?? null;
    this.docUrl = fields.docUrl ?? null;
    this.retryAfter = fields.retryAfter ?? null;
  }
}

/** No response arrived: the network failed, or the time limit was reached. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/**
 * A proxy responded in place of the service, which has answered before: it cannot be reached for
 * now.
 */
export class ProxyError extends ApiError {}

/** Whether the same request may succeed later: the network or the server failed temporarily. */
export function isRetryable(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError || error instanceof ProxyError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status >= 500 || isRefused(error) || isInProgress(error);
}

/** Whether the service refused a request for now, before anything was done. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && [408, 425, 429].includes(error.status);
}

/** Whether a request with the same idempotency key runs, or its server was killed while it ran. */
export function isInProgress(error: unknown): boolean {
  return error instanceof ApiError && error.code === "idempotency_in_progress";
}

/** Makes an error from a response and its body. */
export function apiErrorOf(response: Response, body: string): ApiError {
  const { status, headers } = response;
  const known = {
    status,
    requestId: headers.get("request-id"),
    retryAfter: secondsOf(headers.get("retry-after")),
  };
  if (status === 304) {
    const code = "not_modified";
    return new ApiError("Unchanged: the ETag matches.", { ...known, type: code, code });
  }
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location !== null) {
    return new ApiError(
      `The server redirects to ${location.slice(0, 300)}. The client does not follow, so that your key stays where you sent it: set baseUrl to the final address.`,
      known,
    );
  }
  const error = errorIn(body);
  if (!error) {
    const start = body.trim().slice(0, 200);
    return new ApiError(`The server returned ${status}${start && `: ${start}`}`, known);
  }
  return new ApiError(error.message, {
    ...known,
    type: textOf(error.type) ?? "api_error",
    code: textOf(error.code) ?? "unknown",
    param: textOf(error.param),
    requestId: textOf(error.request_id) ?? known.requestId,
    docUrl: textOf(error.doc_url),
  });
}

function errorIn(body: string): (Record<string, unknown> & { message: string }) | undefined {
  try {
    const { error } = JSON.parse(body);
    return typeof error?.message === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** Replaces control characters, which could rewrite a terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").slice(0, 10_000);
}
