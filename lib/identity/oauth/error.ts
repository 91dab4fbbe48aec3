import { isDatabaseDown } from "@/lib/platform/db/failures";
import { ApiError, unavailable } from "@/lib/platform/errors";
import { challenge } from "@/lib/platform/http/challenge";
import { HttpResponse } from "@/lib/platform/http/response";
import { logError } from "@/lib/platform/telemetry/log";

/** Codes of the service that OAuth names differently. */
const NAMES: Record<string, string> = {
  payload_too_large: "invalid_request",
  invalid_json: "invalid_request",
  invalid_param: "invalid_request",
  rate_limited: "temporarily_unavailable",
  service_unavailable: "temporarily_unavailable",
  internal_error: "server_error",
};

/** Runs an OAuth endpoint. Returns its result as JSON, or the error body of RFC 6749 §5.2. */
export async function respond(status: number, work: () => Promise<unknown>): Promise<HttpResponse> {
  try {
    const result = await work();
    if (result === undefined) return new HttpResponse(status, {}, null);
    return json(status, {}, result);
  } catch (thrown) {
    const error = asApiError(thrown);
    // RFC 6749 §5.2 asks for the client's own scheme, which the error then has.
    const challenges = error.status === 401 ? challenge(error) : {};
    return json(
      error.status,
      { ...challenges, ...error.headers },
      {
        error: NAMES[error.code] ?? error.code,
        error_description: describable(error.message),
      },
    );
  }
}

export function invalidRequest(message: string): ApiError {
  return new ApiError("invalid_request", message);
}

/** RFC 6749 allows only printable ASCII without quotes and backslashes in `error_description`. */
export function describable(message: string): string {
  return message
    .replaceAll("…", "...")
    .replaceAll(/["\\]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, "?");
}

function json(status: number, headers: Record<string, string>, body: unknown): HttpResponse {
  const type = { "Content-Type": "application/json" };
  return new HttpResponse(status, { ...type, ...headers }, JSON.stringify(body));
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseDown(thrown)) {
    return unavailable("The database is unavailable. Try again.");
  }
  logError("A request failed.", thrown);
  return new ApiError("server_error", "Something went wrong on our side.");
}
