import type * as z from "zod";
import { config } from "@/lib/platform/config/config";
import type { Commit } from "@/lib/platform/db/commit";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { ApiError } from "@/lib/platform/errors";
import { HttpResponse } from "@/lib/platform/http/response";

/** Responses carry secrets, so no cache may store them (RFC 6749 §5.1). */
const UNCACHED = { "Cache-Control": "no-store", Pragma: "no-cache" };

/**
 * Runs an agent-auth endpoint and returns its result or error, marked as uncacheable. `work`
 * commits its last write through the `commit` that it receives.
 */
export async function respond<Schema extends z.ZodType>(
  status: number,
  schema: Schema,
  commit: Commit,
  work: (commit: Commit) => Promise<z.output<Schema>>,
): Promise<HttpResponse> {
  const responseOf = (result: unknown) => {
    if (config().validateResponses) schema.parse(result);
    const headers = { "Content-Type": "application/json", ...UNCACHED };
    return new HttpResponse(status, headers, JSON.stringify(result));
  };
  try {
    return responseOf(await work((write) => commit(write, responseOf)));
  } catch (thrown) {
    const error = asApiError(thrown);
    if (error instanceof ApiError) Object.assign(error.headers, UNCACHED);
    throw error;
  }
}

function asApiError(thrown: unknown): unknown {
  if (thrown instanceof ApiError || isDatabaseDown(thrown)) return thrown;
  return new ApiError("server_error", "Something went wrong on our side.", { cause: thrown });
}
