import { createHash } from "node:crypto";
import { credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { type ApiError, retryAfter } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import { reportedError, toApiError } from "@/lib/platform/http/error-envelope";
import { operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import {
  type IdempotentRequest,
  replaceResponse,
  storedResponse,
} from "@/lib/platform/http/response-records";
import { secondsUntilRequests } from "@/lib/platform/limits/caller-limits";
import { logError } from "@/lib/platform/telemetry/log";
import { BATCH_PARTS, Batch, BatchResult, type Step } from "@/lib/resources/batch/contract";
import { resourceOperations } from "@/lib/resources/registry";
import { requestTo } from "./operation-request";
import { matchPath } from "./path";
import { CHECKED_MS, perform } from "./perform";
import { scopeOf } from "./run-operation";

export const runBatch = operation("POST /api/batch", {
  id: "runBatch",
  summary: "Create and delete many resources",
  description:
    "They run in order; each succeeds or fails alone and counts as a request. After 401, 429 or 503 the rest waits for a repeat with the same `Idempotency-Key`. Nothing is created twice. Without a key, one token claims all it creates.",
  takesClaimToken: true,
  body: Batch,
  parts: BATCH_PARTS,
  success: { status: 200, schema: BatchResult },
  handle: ({ caller, body, request }) => run(caller, body, request),
});

/** After these the next operation would fail, too. */
const STOPS = [401, 429, 503];

/**
 * Throws the first operation's error if the whole batch would fail with it. If a later one stops the
 * batch, a repeat with the same `Idempotency-Key` continues there.
 */
async function run(caller: Caller, { operations }: Batch, request: HttpRequest) {
  const progress = progressOf(caller, operations, request);
  const earlier = progress && (await storedResponse(progress));
  const result: BatchResult = earlier
    ? JSON.parse(String(earlier.body))
    : { object: "batch_result", data: [] };
  const { data } = result;
  const claimWith = request.headers.get("claim-with") ?? undefined;
  let checked = performance.now();
  for (const [index, step] of [...operations.entries()].slice(data.length)) {
    try {
      if (performance.now() - checked > CHECKED_MS) {
        await credentialOf(caller).assertLive();
        checked = performance.now();
      }
      const { status, resource } = await runStep(caller, step, request, {
        "idempotency-key": keyOf(step, index, request),
        "claim-with": step.method === "POST" ? (result.claim_token ?? claimWith) : undefined,
      });
      data.push({ status, id: resource.id, error: null });
      const { claim_token, claim_link } = resource;
      if (claim_token !== undefined && claim_link !== undefined) {
        Object.assign(result, { claim_token, claim_link });
      }
    } catch (thrown) {
      const error = toApiError(thrown);
      if (STOPS.includes(error.status)) {
        const left = operations.length - index;
        if (error.status === 429) await delayRepeat(error, caller, request, left);
        if (index === 0) throw thrown;
        return stopped(result, error, left, progress);
      }
      data.push(failureOf(thrown));
    }
  }
  return result;
}

/** Raises the `Retry-After` of a 429 until there is room for a repeat of the batch and what is left of it. */
async function delayRepeat(
  { headers }: ApiError,
  caller: Caller,
  request: HttpRequest,
  left: number,
): Promise<void> {
  // As soon as one request is free, the repeat itself would take it, and nothing else would be done.
  const needed = 1 + left;
  const room = await secondsUntilRequests(caller, request, needed).catch(() => 0);
  Object.assign(headers, retryAfter(Math.max(room, Number(headers["Retry-After"] ?? 0))));
}

/** Stores what was done, and returns it with the error of the next operation, after which the rest is untried. */
async function stopped(
  result: BatchResult,
  error: ApiError,
  left: number,
  progress: IdempotentRequest | undefined,
) {
  const { status, headers } = error;
  const untried = Array.from({ length: left - 1 }, () => ({ status, id: null, error: null }));
  const shown = { ...result, data: [...result.data, failureOf(error), ...untried] };
  // A 401 has no `Retry-After`: with a new access token of the same grant, a repeat may continue at once.
  const pause = headers["Retry-After"] ?? "1";
  // If this is lost, a repeat begins again. Each create has its own record, so it makes nothing twice.
  if (progress) await replaceResponse(progress, waiting(result, pause)).catch(logLost);
  return waiting(shown, pause);
}

/** The outcome of an operation that failed. */
function failureOf(thrown: unknown) {
  const { error, envelope } = reportedError(thrown, "A batch failed.", newId("req"));
  return { status: error.status, id: null, error: envelope.error };
}

/** A response that is not recorded, since a repeat of its request may continue after the pause. */
function waiting(result: BatchResult, pause: string): HttpResponse {
  const headers = { "Content-Type": "application/json", "Retry-After": pause };
  return new HttpResponse(200, headers, JSON.stringify(result));
}

function logLost(error: unknown) {
  logError("The progress of a batch could not be stored.", error);
}

/** Where the outcomes of a batch are kept when it is stopped, if it has an `Idempotency-Key`. */
function progressOf(
  caller: Caller,
  content: Step[],
  request: HttpRequest,
): IdempotentRequest | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  const claimWith = request.headers.get("claim-with") ?? undefined;
  return { key, scope: scopeOf(caller, request), path: "/api/batch progress", content, claimWith };
}

/** Runs one operation, and returns its status and the created or deleted resource. */
async function runStep(
  caller: Caller,
  { method, path, body = {} }: Step,
  outer: HttpRequest,
  headers: Record<string, string | undefined>,
): Promise<{ status: number; resource: Created }> {
  const found = resourceOperations.find(
    (one) => one.method === method && matchPath(one.path, path, one),
  );
  if (!found) throw new Error(`There is no operation ${method} ${path}.`);
  const params = matchPath(found.path, path, found) ?? {};
  const carrier = { signal: outer.signal, clientAddress: clientAddress(outer) };
  const response = await perform(found, {
    caller,
    params,
    request: requestTo(found, { params, search: "", headers }, carrier),
    json: { document: body, excessive: false },
  });
  const resource = response.body === null ? params : JSON.parse(String(response.body));
  return { status: response.status, resource };
}

interface Created {
  id: string;
  claim_token?: string;
  claim_link?: string;
}

/** The key of one create, which then happens once although a crash ended the batch after it. */
function keyOf({ method }: Step, index: number, { headers }: HttpRequest): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null || method !== "POST") return undefined;
  return createHash("sha256").update(`batch ${index} ${key}`).digest("base64url");
}
