import { CHECKED_MS, credentialOf } from "@/lib/identity/credential";
import { anonymous, type Caller, type Scope } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import type { Accepted } from "@/lib/platform/http/acceptance";
import { clientAddress } from "@/lib/platform/http/address";
import { conditional, WITHOUT_TAG } from "@/lib/platform/http/conditional";
import { idempotencyKeyOf } from "@/lib/platform/http/idempotency";
import type { Access, Operation } from "@/lib/platform/http/operation";
import { preferred } from "@/lib/platform/http/preference";
import {
  bufferBody,
  type HttpRequest,
  type JsonBody,
  splitUrl,
  withBody,
} from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { storedResponse } from "@/lib/platform/http/response-records";
import { countCaller } from "@/lib/platform/limits/caller-limits";
import { onStreamEnd, takeConnectionSlot, type Wait } from "@/lib/platform/limits/connection-slots";
import { turnsOf } from "@/lib/platform/limits/search-gate";
import { lengthOf, turnIfLarge } from "@/lib/platform/loop-turns";
import { type Joining, joiningOf } from "@/lib/resources/claim-set";
import { proofOf } from "@/lib/resources/claim-token";
import { preconditionOf } from "@/lib/resources/version";
import { exportList, wantsLines } from "./export";
import { assertUnshared, refuse, runOperation, runOperationOnce, scopeOf } from "./run-operation";
import { storageOf } from "./storage";

/** A call by an authenticated caller: over HTTP, from an MCP tool or from a form. */
interface Call {
  caller: Caller;
  /** Its URL consists of the operation's path, with the parameters filled in, and the query. */
  request: HttpRequest;
  params: Record<string, string>;
  /** The body, if it has been read already. */
  json?: JsonBody;
  /** The result of the operation's `prefetch`, if it was called. */
  prefetched?: Promise<unknown> | undefined;
  /** Whether another request of this caller counted it already. `"if repeated"`: if it gets a recorded response. */
  isCounted?: boolean | "if repeated";
  /** Receives the rate limit headers as soon as the call is counted. */
  onCounted?: (limits: Record<string, string>) => void;
  /** True if a repeat with its key runs again as long as nothing was found to do. */
  isPoll?: boolean;
  /** Called if the request is a long poll or stream. */
  onWait?: () => void;
}

/** Runs an operation, checked in the order of the contract: account, limits, scope, query and body. */
export async function perform(operation: Operation, call: Call): Promise<HttpResponse> {
  const { caller, request, params, isCounted, onCounted, onWait } = call;
  assertAccount(operation, caller);
  const isFree = isCounted === "if repeated" ? await isRepeat(operation, call) : isCounted;
  if (!isFree || operation.takesArrivals) {
    const limits = await countCaller(operation, caller, request, params);
    onCounted?.(limits);
  }
  assertScope(operation, caller);
  if (wantsLines(operation, request)) {
    const credential = credentialOf(caller);
    const { search } = splitUrl(request.url);
    return inConnectionSlot({ kind: "stream" }, request, () =>
      exportList(operation, { caller, credential, request, params, search }),
    );
  }
  const { accepted, storage, work } = await acceptInput(operation, call).catch((error) =>
    refuse(operation, error),
  );
  if (accepted.wait) onWait?.();
  // Only the body's length counts. The result of a read must not be kept waiting for a turn:
  // nothing but the number of database connections bounds how much of it there is.
  const length = lengthOf(accepted.body ?? {});
  await turnIfLarge(length);
  const response = await inItsTurn(accepted, caller, request, work);
  await turnIfLarge(length);
  storage?.count(response, accepted.textBytes);
  if (operation.conditional) return conditional(request, response);
  return preferred(operation, request, response);
}

/** Whether an earlier call with the same key and content has recorded its response. False for a call that will fail. */
async function isRepeat(operation: Operation, call: Call): Promise<boolean> {
  try {
    const { keyed } = await acceptInput(operation, call);
    return keyed !== undefined && (await storedResponse(keyed)) !== undefined;
  } catch {
    return false;
  }
}

/** Checks query and body. Returns the work that is left, what identifies its record, and its storage. */
async function acceptInput(operation: Operation, call: Call) {
  const { caller, request, params, json, prefetched, isPoll, onCounted } = call;
  const begun = performance.now();
  const { path, search } = splitUrl(request.url);
  const key = operation.repeatable ? idempotencyKeyOf(request) : undefined;
  if (key !== undefined) assertUnshared(operation, caller, key);
  const buffered =
    key !== undefined && operation.rawBody
      ? await bufferBody(request, operation.rawBody.bytesMax ?? config().inboxMaxBodyBytes)
      : undefined;
  const joining = joiningOf(operation, caller, request);
  const isRecorded = key !== undefined;
  const storage = storageOf(operation, joining ? anonymous : caller, request, {
    id: params.id,
    isRecorded,
  });
  // Before the body is read. A repeat gets its recorded response even if the storage is used up now.
  if (!isRecorded) await storage?.assert();
  const proof = proofOf(operation, caller, request);
  const precondition = preconditionOf(request);
  const accepted = await operation.accept({
    request:
      buffered?.request ?? (operation.rawBody ? checkedAtEnd(caller, request, begun) : request),
    caller: asCreator(caller, joining, proof),
    search,
    params,
    json,
    precondition,
    prefetched,
    onCounted,
  });
  if (operation.untagged) precondition?.(WITHOUT_TAG);
  if (performance.now() - begun > CHECKED_MS) {
    await credentialOf(caller).assertLive();
  }
  const run: Accepted["run"] = async (commit) => {
    await storage?.assert(accepted.textBytes);
    const result = await accepted.run(commit);
    storage?.noteResult(result);
    return result;
  };
  const content = buffered?.digest ?? accepted.body;
  const keyed =
    key === undefined
      ? undefined
      : {
          key,
          scope: scopeOf(caller, request),
          // `whe_…` means the endpoint `wh_…`.
          path: path.replace(/\/$/, "").replace("/whe_", "/wh_"),
          content: search === "" ? content : [content, search],
          claimWith: (joining ?? proof)?.token,
          // The client of an aborted wait got no response.
          runsAgain: () => isPoll === true || (!!accepted.wait && request.signal.aborted),
        };
  const work = () =>
    keyed
      ? runOperationOnce(operation, run, keyed, joining, storage?.assertRecord)
      : runOperation(operation, run, joining);
  return { accepted, storage, keyed, work };
}

/** The caller with the claim token that it sent, if any. */
function asCreator(caller: Caller, joining?: Joining, proof?: Caller["proof"]): Caller {
  if (joining) return { ...caller, kind: "anonymous", claimWith: joining.token };
  return proof ? { ...caller, proof } : caller;
}

/** The request with a body that ends with a check of the credential, if that is long after `begun`. */
function checkedAtEnd(caller: Caller, request: HttpRequest, begun: number): HttpRequest {
  const { body } = request;
  if (caller.kind !== "key" || !body) return request;
  const checked = async function* () {
    yield* body;
    if (performance.now() - begun > CHECKED_MS) await credentialOf(caller).assertLive();
  };
  return withBody(request, checked());
}

/** Throws 401 `unauthorized` to an anonymous caller where an account is required. */
export function assertAccount({ auth, scope, withoutKey }: Operation, caller: Caller): void {
  if (auth !== "required" || caller.kind !== "anonymous") return;
  const kind = scope === null ? "An API key" : `An API key with ${scope}`;
  const message = `${kind} is required; send it as "Authorization: Bearer svc_live_…".`;
  throw new ApiError("unauthorized", withoutKey ? `${message} ${withoutKey}` : message);
}

/** Throws 403 `insufficient_scope` when a key lacks the scope. */
export function assertScope({ scope, auth }: Pick<Access, "scope" | "auth">, caller: Caller): void {
  if (scope === null || caller.kind === "anonymous" || caller.scopes.includes(scope)) return;
  throw new ApiError("insufficient_scope", needsScope(scope, auth), {
    challenge: { error: "insufficient_scope", scope },
  });
}

function needsScope(scope: Scope, auth: Operation["auth"]): string {
  if (scope !== "api.write") return `This requires a key with the scope ${scope}.`;
  const otherwise =
    auth === "required" ? "" : ", or send the request without a key if the resource is public";
  return `This key lacks the scope api.write. An agent's key gets it when a person claims its registration (${config().baseUrl}/auth.md). Otherwise use another key${otherwise}.`;
}

/** A long poll or stream takes a slot, a search its turn; anything else runs at once. */
function inItsTurn(
  { wait, isSearch }: Accepted,
  caller: Caller,
  request: HttpRequest,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  if (wait) return inConnectionSlot(wait, request, work);
  return isSearch ? inSearchTurn(caller, request, work) : work();
}

/** Runs a search in its turn, unless the key has ended by then. */
function inSearchTurn(
  caller: Caller,
  request: HttpRequest,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const asked = performance.now();
  return turnsOf(request, { isUnderWay: false })(async () => {
    if (performance.now() - asked > CHECKED_MS) await credentialOf(caller).assertLive();
    return work();
  });
}

/** Runs a long poll or stream, which takes a slot while it holds the connection. */
async function inConnectionSlot(
  wait: Wait,
  request: HttpRequest,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const release = takeConnectionSlot(wait, clientAddress(request));
  let response: HttpResponse | undefined;
  try {
    response = await work();
  } finally {
    if (!(response?.body instanceof ReadableStream)) release();
  }
  return response.body instanceof ReadableStream
    ? new HttpResponse(
        response.status,
        response.headers,
        onStreamEnd(response.body, request.signal, release),
      )
    : response;
}
