import * as z from "zod";
import { config } from "@/lib/platform/config/config";
import { isDatabaseDown, isUnstorableText } from "@/lib/platform/db/failures";
import { ApiError, unavailable } from "@/lib/platform/errors";
import { logError } from "@/lib/platform/telemetry/log";
import { challenge, type Wanted } from "./challenge";

export const errorTypes = [
  "invalid_request_error",
  "authentication_error",
  "authorization_error",
  "not_found_error",
  "rate_limit_error",
  "api_error",
] as const;

/** The body of every error response. */
export const ErrorEnvelope = z
  .object({
    error: z
      .object({
        type: z.enum(errorTypes).describe("The class of the error, by status."),
        code: z.string().describe("What went wrong. It is stable: branch on it."),
        message: z.string().describe("What went wrong, in words, which may change."),
        param: z
          .string()
          .nullable()
          .describe("The property or parameter that is wrong, such as `labels.3`, or null."),
        doc_url: z.string().describe("The page that explains `code`."),
        request_id: z
          .string()
          .describe("The ID of the request, for support. Also the header `Request-Id`."),
      })
      .describe("Why the request failed."),
  })
  .meta({ id: "Error" });

/** The error in the form that callers see. */
export function errorEnvelope(error: ApiError, requestId: string): z.output<typeof ErrorEnvelope> {
  const { status, code, message, param } = error;
  return {
    error: {
      type: TYPES[status] ?? "invalid_request_error",
      code,
      message,
      param,
      doc_url: `${config().baseUrl}/docs/errors#${code}`,
      request_id: requestId,
    },
  };
}

const TYPES: Record<number, (typeof errorTypes)[number]> = {
  401: "authentication_error",
  403: "authorization_error",
  404: "not_found_error",
  429: "rate_limit_error",
  500: "api_error",
  503: "api_error",
};

/**
 * The error in both forms, and the headers of its response, with the challenge of the resource that was
 * wanted. Logs unexpected errors, with what failed.
 */
export function reportedError(thrown: unknown, what: string, requestId: string, wanted?: Wanted) {
  const error = toApiError(thrown);
  if (error.status === 500) logError(what, error.cause ?? thrown, requestId);
  const headers = { ...challenge(error, wanted), ...error.headers };
  return { error, headers, envelope: errorEnvelope(error, requestId) };
}

/** Converts a thrown value to an `ApiError`, hiding the details of unexpected errors. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseDown(thrown)) {
    return unavailable("The database is unavailable. Try again.");
  }
  // The API rejects such texts earlier; pages look up whatever is in their URL.
  if (isUnstorableText(thrown)) {
    return new ApiError("resource_not_found", "Not found.");
  }
  return new ApiError("internal_error", "Something went wrong on our side.");
}
