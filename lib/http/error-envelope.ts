import { z } from "zod";
import { isDatabaseDown, isUnstorableText } from "@/lib/db/sql";
import { ApiError, errorTypes } from "@/lib/errors";

/** The body of every error response. */
export const ErrorEnvelope = z.object({
  error: z.object({
    type: z.enum(errorTypes),
    code: z.string().describe("Stable: branch on it."),
    message: z.string().describe("Its wording may change."),
    param: z
      .string()
      .nullable()
      .describe("The offending property or parameter, such as `labels.3`"),
    request_id: z.string().describe("Also in the header `Request-Id`."),
  }),
});

/** Converts a thrown value to an `ApiError`, hiding the details of unexpected errors. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseDown(thrown)) {
    return new ApiError("service_unavailable", "The database cannot be reached. Try again.", {
      headers: { "Retry-After": "5" },
    });
  }
  // The API has rejected such texts earlier; pages look up whatever is in their URL.
  if (isUnstorableText(thrown)) {
    return new ApiError("resource_not_found", "Not found.");
  }
  return new ApiError("internal_error", "Something went wrong on our side.");
}
