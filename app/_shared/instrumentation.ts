import { createHmac } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Instrumentation } from "next";
import { config } from "@/lib/platform/config/config";
import { forwardedAddress } from "@/lib/platform/http/address";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { REQUEST_ID_HEADER } from "@/lib/platform/http/missing-page";
import { isUnreadForm, pageTurn } from "@/lib/platform/limits/page-turn";
import { ownServer } from "@/lib/platform/process";
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
  if (!config().onVercel && !ownServer.isRunning) {
    subscribe("http.server.request.start", (message) =>
      overwriteForwarded((message as { request: IncomingMessage }).request),
    );
  }
  await startTracing();
}

/**
 * Logs page errors with the request's ID. Database errors are already logged; a refused search or an ended
 * session is not an error, nor is what a stranger sent as a form.
 */
export const onRequestError: Instrumentation.onRequestError = (
  error,
  { headers },
  { routePath },
) => {
  if (["service_unavailable", "rate_limited", "unauthorized"].includes(toApiError(error).code))
    return;
  if (isUnreadForm(pageTurn.getStore(), headers)) return;
  logError(`The page ${routePath} failed.`, error, headers[REQUEST_ID_HEADER]?.toString());
};

/** `next start` sets the header only if the client does not, so that clients could choose their address. */
function overwriteForwarded({ headers, socket }: IncomingMessage): void {
  const header = headers["x-forwarded-for"];
  const given = header === undefined ? null : String(header);
  const address = forwardedAddress(socket.remoteAddress ?? null, given);
  if (address !== null) headers["x-forwarded-for"] = address;
}
