import type { Instrumentation } from "next";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { REQUEST_ID_HEADER } from "@/lib/platform/http/missing-page";
import { logError } from "@/lib/platform/telemetry/log";

/**
 * Logs errors of pages with the request's ID. Those of the database have been logged already, and
 * a refused search is no error, nor is a session that ended before its turn.
 */
export const onRequestError: Instrumentation.onRequestError = (
  error,
  { headers },
  { routePath },
) => {
  if (["service_unavailable", "rate_limited", "unauthorized"].includes(toApiError(error).code))
    return;
  logError(`The page ${routePath} failed.`, error, headers[REQUEST_ID_HEADER]?.toString());
};
