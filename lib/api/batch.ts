import { hash } from "node:crypto";
import { CHECKED_MS, credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { type ApiError, unavailable } from "@/lib/platform/errors";
import type { Inbound } from "@/lib/platform/http/acceptance";
import { clientAddress } from "@/lib/platform/http/address";
import { reportedError, toApiError } from "@/lib/platform/http/error-envelope";
import { operation } from "@/lib/platform/http/operation";
import { SENT_FOR_HEADER } from "@/lib/platform/http/relayed";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { REPLAYED } from "@/lib/platform/http/response-records";
import { BATCH_PARTS, Batch, BatchResult, type Step } from "@/lib/resources/batch/contract";
import { resourceOperations } from "@/lib/resources/registry";
import { requestTo } from "./operation-request";
import { matchPath } from "./path";
import { perform } from "./perform";

export const runBatch = operation("POST /api/batch", {
  id: "runBatch",
  summary: "Create and delete many resources",
  description:
    "They run in order; each succeeds or fails alone and counts as a request. After 401, 429 or 503 the rest is not tried: send it as a new batch; if the whole response is 503, repeat all with the same `Idempotency-Key`. Without a key, one token claims all it creates.",
  takesClaimToken: true,
  body: Batch,
  parts: BATCH_PARTS,
  success: { status: 200, schema: BatchResult },
  handle: ({ caller, body, request, onCounted }) => run(caller, body, { request, onCounted }),
});

/** After these the next operation would fail, too. */
const STOPS = [401, 429, 503];
const REPEAT_ALL =
  "The create that makes the claim token failed. Repeat the batch with the same Idempotency-Key.";

/**
 * Throws the first operation's error if the whole batch would fail with it. Throws a 503, too, if a repeat with the
 * same `Idempotency-Key` can do the rest: a create whose response was lost must not happen twice. Throws one after
 * any 5xx of the create that makes the claim token, too: a later create would make another token than a repeat does.
 */
async function run(
  caller: Caller,
  { operations }: Batch,
  { request, onCounted }: Pick<Inbound, "request" | "onCounted">,
) {
  const result: BatchResult = { object: "batch_result", data: [] };
  const { data } = result;
  const claimWith = request.headers.get("claim-with") ?? undefined;
  let checked = performance.now();
  const hasKey = request.headers.get("idempotency-key") !== null;
  let mayRepeat = hasKey;
  for (const [index, step] of operations.entries()) {
    const token = result.claim_token ?? claimWith;
    const makesToken = caller.kind === "anonymous" && step.method === "POST" && !token;
    try {
      if (performance.now() - checked > CHECKED_MS) {
        await credentialOf(caller).assertLive();
        checked = performance.now();
      }
      const { status, resource, isReplay } = await runStep(caller, step, request, {
        // The batch is counted as its first operation, so one free request is enough to make progress. Creates
        // that an earlier try has done are not counted again: a limit would report them as not tried.
        isCounted: index === 0 || (mayRepeat && "if repeated"),
        onCounted,
        headers: {
          "idempotency-key": keyOf(step, index, request),
          "claim-with": step.method === "POST" ? token : undefined,
        },
      });
      data.push({ status, id: resource.id, error: null });
      if (step.method === "POST") mayRepeat = isReplay;
      const { claim_token, claim_link } = resource;
      if (claim_token !== undefined && claim_link !== undefined) {
        Object.assign(result, { claim_token, claim_link });
      }
    } catch (thrown) {
      const error = toApiError(thrown);
      const stops = STOPS.includes(error.status);
      const isRepeatable = error.status === 503 && hasKey;
      if (stops && (index === 0 || isRepeatable)) throw thrown;
      data.push(failureOf(thrown));
      if (error.status >= 500 && hasKey && makesToken) throw unavailable(REPEAT_ALL, thrown);
      if (stops) return stopped(result, error, operations.length - data.length);
    }
  }
  return result;
}

/** What an error says about the next try. */
const LIMITS = ["Retry-After", "RateLimit", "RateLimit-Policy"];

/** The response of a batch that an error stopped, with so many operations left untried. */
function stopped(result: BatchResult, { status, headers }: ApiError, left: number): HttpResponse {
  const untried = Array.from({ length: left }, () => ({ status, id: null, error: null }));
  const shown = { ...result, data: [...result.data, ...untried] };
  const fields = Object.entries(headers).filter(([name]) => LIMITS.includes(name));
  const all = { "Content-Type": "application/json", ...Object.fromEntries(fields) };
  return new HttpResponse(200, all, JSON.stringify(shown));
}

function failureOf(thrown: unknown) {
  const { error, envelope } = reportedError(thrown, "A batch failed.", newId("req"));
  return { status: error.status, id: null, error: envelope.error };
}

/** Runs one operation, and returns its status and the created or deleted resource. */
async function runStep(
  caller: Caller,
  { method, path, body = {} }: Step,
  outer: HttpRequest,
  {
    isCounted,
    onCounted,
    headers,
  }: Pick<Inbound, "onCounted"> & {
    isCounted: boolean | "if repeated";
    headers: Record<string, string | undefined>;
  },
): Promise<{ status: number; resource: Created; isReplay: boolean }> {
  const { found, params } = operationAt(method, path);
  const carrier = {
    signal: outer.signal,
    clientAddress: clientAddress(outer),
    sentFor: outer.headers.get(SENT_FOR_HEADER),
  };
  const response = await perform(found, {
    caller,
    params,
    isCounted,
    ...(onCounted && { onCounted }),
    request: requestTo(found, { params, search: "", headers }, carrier),
    json: { document: body, excessive: false },
  });
  const resource = response.body === null ? params : JSON.parse(String(response.body));
  return { status: response.status, resource, isReplay: response.headers[REPLAYED] !== undefined };
}

function operationAt(method: Step["method"], path: string) {
  for (const found of resourceOperations) {
    const params = found.method === method && matchPath(found.path, path, found);
    if (params) return { found, params };
  }
  throw new Error(`There is no operation ${method} ${path}.`);
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
  return hash("sha256", `batch ${index} ${key}`, "base64url");
}
