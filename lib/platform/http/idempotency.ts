import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { transaction } from "@/lib/platform/db/sql";
import { invalidParam } from "@/lib/platform/errors";
import { logError } from "@/lib/platform/telemetry/log";
import { releaseLater } from "./failed-runs";
import type { HttpRequest } from "./request";
import type { HttpResponse } from "./response";
import {
  beginRun,
  type IdempotentRequest,
  inProgress,
  type Run,
  releaseKeys,
  renewRun,
  runOf,
  storeResponse,
} from "./response-records";

const RENEWAL_MS = 20_000;

export const KEY_LENGTH_MAX = 255;
const KEY = new RegExp(`^[\\x20-\\x7e]{1,${KEY_LENGTH_MAX}}$`);

/** The request's `Idempotency-Key`, if any. Throws 400 if it is too long or not printable ASCII. */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (KEY.test(key)) return key;
  throw invalidParam(
    "Idempotency-Key",
    `Idempotency-Key must be 1 to ${KEY_LENGTH_MAX} printable ASCII characters.`,
  );
}

/**
 * Runs `work` once per caller, path and key within 24 hours, and replays its response to a repeat
 * with the same content. The writes that `work` makes through `commit` share a transaction with the
 * record of the response, which `toResponse` makes, so a crash loses both or neither. Holds no
 * connection while it waits. `work` returns the result of its write. A failure is not recorded.
 * Throws 409 while the first request runs and 422 for other content.
 */
export async function idempotent(
  request: IdempotentRequest,
  work: (commit: Commit) => Promise<unknown>,
  toResponse: (result: unknown) => HttpResponse,
): Promise<HttpResponse> {
  return runOnce(request, async (run) => {
    let recorded: HttpResponse | undefined;
    const result = await work((write, shown = (written) => written) =>
      transaction(async (db) => {
        const written = await write(db);
        if (written === UNRECORDED) return written;
        recorded = toResponse(shown(written as Exclude<typeof written, typeof UNRECORDED>));
        if (!(await storeResponse(run, recorded, db))) throw inProgress();
        return written;
      }),
    );
    if (recorded) return recorded;
    // It wrote nothing, as when a wait timed out.
    const response = toResponse(result);
    if (request.isPoll) {
      await releaseKeys([run]).catch(() => releaseLater(run));
      return response;
    }
    await storeResponse(run, response).catch((error) => {
      logError("An idempotent response could not be stored.", error);
    });
    return response;
  });
}

async function runOnce(
  request: IdempotentRequest,
  work: (run: Run) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const run = runOf(request);
  const known = await beginRun(run).catch((error) => {
    // The reply may be lost, and the key taken.
    if (isDatabaseDown(error)) releaseLater(run);
    throw error;
  });
  if (known) return known;
  const renewal = setInterval(() => renewRun(run).catch(() => {}), RENEWAL_MS).unref();
  try {
    return await work(run);
  } catch (error) {
    await releaseKeys([run]).catch(() => releaseLater(run));
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
