import { ApiError, notFound } from "@/lib/platform/errors";
import { challenge } from "@/lib/platform/http/challenge";
import { errorEnvelope } from "@/lib/platform/http/error-envelope";

const REQUEST_ID = "req_034gLHnnT5MH2Sbz6VPrmYvR1q";

export function headerComponents(): Record<string, object> {
  return {
    "Request-Id": header("Identifies the request, for support.", REQUEST_ID),
    ETag: header("For `If-None-Match` and `If-Match`.", '"nvZ0k9sNfYw1VHYPdNPJfg"'),
    Location: header("The created resource, or the target of a redirect."),
    "Retry-After": { ...header("Seconds to wait before retrying."), schema: INTEGER },
    RateLimit: header("What is left of the rate limit.", '"default";r=1199;t=60'),
    "RateLimit-Policy": header("The rate limit.", '"default";q=1200;w=60'),
    "Idempotency-Replayed": header(
      "`true` for the stored response to this `Idempotency-Key`.",
      "true",
    ),
    "Preference-Applied": header("The preference of `Prefer` that was met.", "return=minimal"),
    "WWW-Authenticate": header(
      "Links to the protected-resource metadata (RFC 9728).",
      challenge(new ApiError("unauthorized", ""))["WWW-Authenticate"],
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

/** The description of each status, with an example error for the common ones. */
const FAILURES: Record<number, { meaning: string; error?: ApiError }> = {
  400: {
    meaning: "Invalid request, or not allowed in the current state.",
    error: new ApiError("missing_required_param", '"name" is required.', { param: "name" }),
  },
  401: {
    meaning: "Missing or invalid credential.",
    error: new ApiError("invalid_api_key", "The API key is invalid, expired or revoked."),
  },
  403: {
    meaning: "Not allowed with this credential.",
    error: new ApiError("forbidden", "This resource belongs to another organization."),
  },
  404: {
    meaning: "Not found.",
    error: notFound("task", "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q"),
  },
  405: { meaning: "Method not allowed." },
  409: {
    meaning: "Conflict with another caller, or with a running request.",
    error: new ApiError("lease_lost", "This lease is no longer valid."),
  },
  410: { meaning: "The code or the claim has expired." },
  412: { meaning: "Changed since the ETag in `If-Match`." },
  413: {
    meaning: "The body is too large.",
    error: new ApiError("payload_too_large", "The request body is larger than 1000000 bytes."),
  },
  416: { meaning: "The range starts beyond the end of the content." },
  422: {
    meaning: "The Idempotency-Key was used with another body.",
    error: new ApiError(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body. Use a new key for a new request.",
    ),
  },
  406: { meaning: "The client accepts no available media type." },
  415: { meaning: "The body's media type is not supported." },
  429: {
    meaning: "Limit reached: wait `Retry-After` seconds.",
    error: new ApiError("rate_limited", "Too many requests. Try again later."),
  },
  431: { meaning: "The request headers are too large." },
  503: {
    meaning: "Temporarily unavailable: wait `Retry-After`.",
    error: new ApiError("service_unavailable", "The database is unavailable. Try again."),
  },
};

const HEADERS: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  429: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};

/** The shared responses: every failure by status, and those without a body. */
export function responseComponents(): Record<string, object> {
  const failures = Object.entries(FAILURES).map(([status, { meaning, error }]) => [
    status,
    failure(meaning, HEADERS[Number(status)] ?? [], error),
  ]);
  return {
    204: { description: "Done" },
    304: {
      description: "Unchanged since `If-None-Match`.",
      headers: headerReferences("ETag"),
    },
    ...Object.fromEntries(failures),
  };
}

export function responseReference(status: number | string): object {
  return { $ref: `#/components/responses/${status}` };
}

function failure(description: string, headers: string[], error: ApiError | undefined) {
  return {
    description,
    headers: headerReferences("Request-Id", ...headers),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        ...(error && { example: errorEnvelope(error, REQUEST_ID) }),
      },
    },
  };
}
