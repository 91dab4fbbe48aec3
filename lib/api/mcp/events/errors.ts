import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { newId } from "@/lib/platform/db/ids";
import type { ApiError } from "@/lib/platform/errors";
import { reportedError } from "@/lib/platform/http/error-envelope";

/** The codes of SEP-3415. */
export const EVENT_ERRORS = {
  notFound: -32023,
  forbidden: -32024,
  resourceExhausted: -32025,
  unsupported: -32026,
  callbackEndpoint: -32027,
} as const;

/** An error of the service, as an error of the protocol with the API's error as its data. Logs an unexpected one. */
export function protocolError(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const what = "A request for events failed.";
  const { error, envelope } = reportedError(thrown, what, newId("req"));
  const data = { ...envelope.error, ...detailsOf(error) };
  return new ProtocolError(codeOf(error), error.message, data);
}

function codeOf({ status }: ApiError): number {
  if (status === 404) return EVENT_ERRORS.notFound;
  if (status === 401 || status === 403) return EVENT_ERRORS.forbidden;
  if (status === 429 || status === 503) return EVENT_ERRORS.resourceExhausted;
  return status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
}

/** What the protocol wants to know besides the code. */
function detailsOf({ status, code, headers }: ApiError): Record<string, unknown> {
  if (status === 404) return { kind: "resource" };
  if (status !== 429 && status !== 503) return {};
  const { "Retry-After": seconds } = headers;
  return { limit: code, ...(seconds !== undefined && { retry_after: Number(seconds) }) };
}
