import { type Db, transaction } from "@/lib/db/sql";
import { invalidParam } from "@/lib/errors";
import { logError } from "@/lib/telemetry/log";
import type { HttpRequest } from "./request";
import { HttpResponse } from "./response";
import {
  beginRun,
  inProgress,
  type Repeatable,
  type Run,
  releaseKey,
  storeResponse,
} from "./response-records";

/** Longer than any request takes. After a crash, retries get 409 for this long. */
const RUN_SECONDS = 60;
/** A slower create rolls back, so that a retry after a crash waits no longer. */
const CREATE_SECONDS = 10;

/** The request's `Idempotency-Key`, if it has one. Throws 400 when it is not 1 to 255 printable ASCII. */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidParam(
    "Idempotency-Key",
    "Idempotency-Key must be 1 to 255 printable ASCII characters.",
  );
}

/**
 * Runs `work` once per caller, path and key within 24 hours, and replays its response for the same
 * content. Holds no connection while `work` runs. A failure is not stored; a crash may lose the
 * response of completed work. Throws 409 while the first request runs and 422 for other content.
 */
export async function idempotent(
  request: Repeatable,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return runOnce(request, RUN_SECONDS, async (run) => {
    const response = await work();
    // The work is done, so a failure to store the response must not look like a failed request.
    const isStored = await storeResponse(run, response).catch((error) => {
      logError("An idempotent response could not be stored.", error);
      return true;
    });
    if (!isStored) {
      logError(
        `An idempotent response could not be stored: ${request.path} took longer than ${RUN_SECONDS} s, and a repeat may have run as well.`,
      );
    }
    return response;
  });
}

/**
 * Like `idempotent`, for work that only writes to `db`: the work and its stored response are one
 * transaction.
 */
export async function idempotentWrite(
  request: Repeatable,
  work: (db: Db) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return runOnce(request, CREATE_SECONDS, (run) =>
    transaction(async (db) => {
      const response = await work(db);
      if (await storeResponse(run, response, db)) return response;
      throw inProgress();
    }),
  );
}

async function runOnce(
  request: Repeatable,
  seconds: number,
  work: (run: Run) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const run = await beginRun(request, seconds);
  if (run instanceof HttpResponse) return run;
  try {
    return await work(run);
  } catch (error) {
    await releaseKey(run).catch(() => {}); // otherwise it expires
    throw error;
  }
}
