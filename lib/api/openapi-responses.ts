import { ApiError, notFound } from "@/lib/errors";
import { challenge } from "@/lib/http/challenge";

const REQUEST_ID = "req_034gLHnnT5MH2Sbz6VPrmYvR1q";

/** The headers that answers share. */
export function headerComponents(): Record<string, object> {
  return {
    "Request-Id": header("Names this request. Quote it in a report.", REQUEST_ID),
    ETag: header("For `If-None-Match` and `If-Match`.", '"nvZ0k9sNfYw1VHYPdNPJfg"'),
    Location: header("Where the answer leads: what was created, or a page."),
    "Retry-After": { ...header("Seconds to wait before the next try."), schema: INTEGER },
    RateLimit: header(
      "What is left of the caller's limit; public mode only.",
      '"default";r=1199;t=60',
    ),
    "RateLimit-Policy": header("The caller's limit; public mode only.", '"default";q=1200;w=60'),
    "Idempotency-Replayed": header("`true`: the stored answer to this `Idempotency-Key`.", "true"),
    "WWW-Authenticate": header(
      "Leads to the protected-resource metadata (RFC 9728).",
      challenge()["WWW-Authenticate"],
    ),
  };
}

const INTEGER = { type: "integer" };

function header(description: string, example?: string) {
  return { description, schema: { type: "string" }, ...(example !== undefined && { example }) };
}

export function headerReferences(...names: string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What each status means, with an error that has it. */
const FAILURES: Record<number, { meaning: string; error: ApiError }> = {
  400: {
    meaning: "Not valid, or not in this state.",
    error: new ApiError("missing_required_param", '"name" is required.', { param: "name" }),
  },
  401: {
    meaning: "A credential is missing or not valid.",
    error: new ApiError("invalid_api_key", "The API key is invalid, expired or revoked."),
  },
  403: {
    meaning: "The credential does not allow this.",
    error: new ApiError("forbidden", "This resource belongs to another organization."),
  },
  404: {
    meaning: "There is no such resource.",
    error: notFound("task", "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q"),
  },
  405: {
    meaning: "The method is not allowed for this client.",
    error: new ApiError("method_not_allowed", "Claim with POST."),
  },
  409: {
    meaning: "Another caller came first, or the request is still running.",
    error: new ApiError("lease_lost", "Another consumer holds this event now."),
  },
  410: {
    meaning: "The code or the claim has expired.",
    error: new ApiError("otp_expired", "The code is no longer valid. Start a new attempt."),
  },
  412: {
    meaning: "Changed since the ETag in `If-Match`.",
    error: new ApiError(
      "precondition_failed",
      "The resource has changed: its ETag is not the one in If-Match. Read it again.",
    ),
  },
  413: {
    meaning: "The body is larger than allowed.",
    error: new ApiError(
      "payload_too_large",
      "The request body is larger than the 1000000 bytes that are allowed here.",
    ),
  },
  416: {
    meaning: "The range begins beyond the end of the content.",
    error: new ApiError("range_not_satisfiable", "The content has 1024 bytes."),
  },
  422: {
    meaning: "The key was used with another body.",
    error: new ApiError(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body. Use a new key for a new request.",
    ),
  },
  429: {
    meaning: "A limit is reached: wait `Retry-After`.",
    error: new ApiError("rate_limited", "Too many requests. Wait before the next one."),
  },
  431: {
    meaning: "The headers of the request are too large.",
    error: new ApiError("payload_too_large", "The headers are too large.", { status: 431 }),
  },
  503: {
    meaning: "Temporarily unavailable: wait `Retry-After`.",
    error: new ApiError("service_unavailable", "The database cannot be reached. Try again."),
  },
};

const HEADERS: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  429: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};

/** The answers that operations share: every failure, under its status, and those without a body. */
export function responseComponents(): Record<string, object> {
  const failures = Object.entries(FAILURES).map(([status, { meaning, error }]) => [
    status,
    failure(meaning, HEADERS[Number(status)] ?? [], error),
  ]);
  return {
    NoContent: { description: "Done" },
    NotModified: {
      description: "Unchanged since `If-None-Match`.",
      headers: headerReferences("ETag"),
    },
    ...Object.fromEntries(failures),
  };
}

export function responseReference(name: string | number): object {
  return { $ref: `#/components/responses/${name}` };
}

function failure(description: string, headers: string[], error: ApiError) {
  return {
    description,
    headers: headerReferences("Request-Id", ...headers),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        example: error.envelope(REQUEST_ID),
      },
    },
  };
}
