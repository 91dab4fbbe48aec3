import { createHmac } from "node:crypto";
import type { Instrumentation } from "next";
import { config } from "@/lib/platform/config/config";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { REQUEST_ID_HEADER } from "@/lib/platform/http/missing-page";
import { logError } from "@/lib/platform/telemetry/log";
import { startTracing } from "@/lib/platform/telemetry/start-tracing";

/**
 * Runs when Next starts, on Vercel too. Sets the key that encrypts the values captured by server
 * actions. It is the same on all servers and not part of a build.
 */
export async function register(): Promise<void> {
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = createHmac("sha256", config().serverSecret)
    .update("server-actions")
    .digest("base64");
  await startTracing();
}

/** Logs errors of pages with the request's ID. Those of the database have been logged already. */
export const onRequestError: Instrumentation.onRequestError = (
  error,
  { headers },
  { routePath },
) => {
  if (toApiError(error).code === "service_unavailable") return;
  logError(`The page ${routePath} failed.`, error, headers[REQUEST_ID_HEADER]?.toString());
};
