/** Every `error.code` of the service, with its status. Codes are stable; messages are not. */
const CODES = {
  invalid_json: 400,
  unknown_param: 400,
  missing_required_param: 400,
  invalid_param: 400,
  resource_already_claimed: 400,
  resource_not_claimable: 400,
  message_not_editable: 400,
  message_not_cancelable: 400,
  message_not_retryable: 400,
  url_not_allowed: 400,
  header_not_allowed: 400,
  unauthorized: 401,
  invalid_api_key: 401,
  forbidden: 403,
  insufficient_scope: 403,
  invalid_claim_token: 403,
  invalid_answer_token: 403,
  resource_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  lease_lost: 409,
  lease_held: 409,
  blocker_cycle: 409,
  question_answered: 409,
  question_closed: 409,
  secret_already_rotated: 409,
  old_key_still_valid: 409,
  external_id_ambiguous: 409,
  idempotency_in_progress: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  idempotency_key_reused: 422,
  rate_limited: 429,
  inbox_full: 429,
  internal_error: 500,
  service_unavailable: 503,
  // The agent-auth endpoints use the codes of the auth.md protocol.
  invalid_request: 400,
  unsupported_type: 400,
  unsupported_credential_type: 400,
  invalid_login_hint: 400,
  anonymous_not_enabled: 400,
  service_auth_not_enabled: 400,
  identity_assertion_not_enabled: 400,
  missing_verified_email: 400,
  invalid_grant: 400,
  // The codes of OAuth (RFC 6749, 7591, 8628, 8707), in its own error body.
  invalid_client: 401,
  unsupported_grant_type: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_issuer: 401,
  invalid_signature: 401,
  invalid_audience: 401,
  expired: 401,
  invalid_client_id: 401,
  insufficient_user_authentication: 401,
  replay_detected: 401,
  otp_invalid: 401,
  claimed_or_in_flight: 409,
  previously_claimed: 409,
  claim_expired: 410,
  otp_expired: 410,
  server_error: 500,
  provider_keys_unavailable: 503,
  mail_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof CODES;

export const errorCodes = Object.keys(CODES) as ErrorCode[];

export function statusOf(code: ErrorCode): number {
  return CODES[code];
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(CODES, text);
}

const IS_API_ERROR = Symbol.for("agent-infrastructure.ApiError");

/**
 * The only error shown to callers. `param` is the dotted path of the offending property or
 * parameter, `headers` are added to the response, and `status` overrides the code's own.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly headers: Record<string, string>;
  readonly status: number;
  /** What was wrong with the credential, for the challenge (RFC 6750 §3). */
  readonly challenge: Record<string, string> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      param?: string | undefined;
      headers?: Record<string, string>;
      status?: number;
      challenge?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.param = options.param ?? null;
    this.headers = options.headers ?? {};
    this.status = options.status ?? CODES[code];
    this.challenge = options.challenge;
  }

  get [IS_API_ERROR]() {
    return true;
  }

  /** Also true for errors of the other copy of this module: the server's or Next's. */
  static [Symbol.hasInstance](thrown: unknown): boolean {
    return typeof thrown === "object" && thrown !== null && IS_API_ERROR in thrown;
  }
}

export function invalidParam(param: string, message: string): ApiError {
  return new ApiError("invalid_param", message, { param });
}

interface Limit {
  limit: number;
  windowSeconds: number;
  policy?: "default";
}

/**
 * A 429 after which the caller may try again in so many seconds. `limit` is what was used up, if it
 * counts uses in a window.
 */
export function rateLimited(message: string, seconds: number, limit?: Limit): ApiError {
  const used = limit && { limit, remaining: 0, resetSeconds: Math.max(seconds, 1) };
  const headers = { ...retryAfter(seconds), ...(used && rateLimitFields(used)) };
  return new ApiError("rate_limited", message, { headers });
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: what is left of a limit, and until when. */
export function rateLimitFields(allowance: {
  limit: Limit;
  remaining: number;
  resetSeconds: number;
}): Record<string, string> {
  const { limit, remaining, resetSeconds } = allowance;
  const policy = limit.policy ?? "attempts";
  return {
    RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    "RateLimit-Policy": `"${policy}";q=${limit.limit};w=${limit.windowSeconds}`,
  };
}

/** A 503 worth repeating in five seconds. */
export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError("service_unavailable", message, { headers: retryAfter(5), cause });
}

/** The header with the seconds to wait before another try. */
export function retryAfter(seconds: number): Record<string, string> {
  return { "Retry-After": String(Math.max(seconds, 1)) };
}

/** `noun` is the resource's kind in words, such as "task". */
export function notFound(noun: string, id: string): ApiError {
  return new ApiError("resource_not_found", `No ${noun} has the ID ${quote(id)}.`);
}

/** Quotes and truncates a caller's text for an error message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);
}
