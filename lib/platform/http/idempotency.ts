import { setTimeout as pause } from "node:timers/promises";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { transaction } from "@/lib/platform/db/sql";
import { invalidParam } from "@/lib/platform/errors";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import type { HttpRequest } from "./request";
import type { HttpResponse } from "./response";
import {
  beginRun,
  type IdempotentRequest,
  inProgress,
  RUN_SECONDS,
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
 * Runs `work` once per caller, path and key for as long as records are kept
 * (`IDEMPOTENCY_RETENTION_HOURS`), and replays its response to a repeat with the same content. The
 * writes that `work` makes through `commit` share a transaction with the record of the response,
 * which `toResponse` makes, so a crash loses both or neither. Holds no connection while it waits.
 * `work` returns the result of its write. A failure is not recorded. Throws 409 while the first
 * request runs and 422 for other content.
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
    if (request.runsAgain?.()) {
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

const RETRY_MS = 1000;
/** More runs than this fail only in a flood. The rest free their keys when they expire. */
const FAILED_MAX = 1000;

/** The runs whose keys are still to be freed, by owner. While there are any, `releaseAll` runs. */
const failedRuns = oncePerProcess(
  "http.failed-runs",
  () => new Map<string, { run: Run; expiresAt: number }>(),
);

/**
 * Frees the key of a run that failed with the database, as soon as the database is back. Whether
 * the run took the key, or stored its response, may be unknown until it expires: a commit that
 * waits for a standby is seen late. A stored response stays.
 */
function releaseLater(run: Run): void {
  if (failedRuns.size >= FAILED_MAX) return;
  failedRuns.set(run.owner, { run, expiresAt: performance.now() + RUN_SECONDS * 1000 });
  if (failedRuns.size === 1) void releaseAll();
}

async function releaseAll(): Promise<void> {
  while (failedRuns.size > 0) {
    await pause(RETRY_MS, undefined, { ref: false });
    const runs = [...failedRuns.values()].map(({ run }) => run);
    const released = await releaseKeys(runs).catch(() => []);
    for (const owner of released) failedRuns.delete(owner);
    for (const [owner, { expiresAt }] of failedRuns)
      if (performance.now() > expiresAt) failedRuns.delete(owner);
  }
}
