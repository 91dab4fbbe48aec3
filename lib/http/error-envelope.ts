import { z } from "zod";
import { isDatabaseDown, isUnstorableText } from "@/lib/db/sql";
import { ApiError, errorTypes } from "@/lib/errors";

/** What every answer from 400 on holds. */
export const ErrorEnvelope = z.object({
  error: z.object({
    type: z.enum(errorTypes),
    code: z.string().describe("Stable: branch on it."),
    message: z.string().describe("Its wording may change."),
    param: z.string().nullable().describe("What is at fault, such as `labels.3`"),
    request_id: z.string().describe("Also in the header `Request-Id`."),
  }),
});

/** What was thrown, as an `ApiError`: a foreign error shows nothing of itself. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseDown(thrown)) {
    return new ApiError("service_unavailable", "The database cannot be reached. Try again.", {
      headers: { "Retry-After": "5" },
    });
  }
  // The API refuses such texts before; pages look up whatever their address holds.
  if (isUnstorableText(thrown)) {
    return new ApiError("resource_not_found", "Nothing has such an ID.");
  }
  return new ApiError("internal_error", "Something went wrong on our side.");
}
