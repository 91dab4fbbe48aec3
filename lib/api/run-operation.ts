import { asInvalidRequest } from "@/lib/identity/agents/body";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { invalidParam } from "@/lib/platform/errors";
import type { Accepted } from "@/lib/platform/http/acceptance";
import { clientAddress } from "@/lib/platform/http/address";
import { idempotent } from "@/lib/platform/http/idempotency";
import { toJson } from "@/lib/platform/http/json-text";
import { createsClaimable, isCreate, type Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { type IdempotentRequest, REPLAYED } from "@/lib/platform/http/response-records";
import { type Joining, storeJoined } from "@/lib/resources/claim-set";
import { insertOnce } from "@/lib/resources/insert-once";
import { Insertion } from "@/lib/resources/insertion";
import { changed, createdTag, resourceTag } from "@/lib/resources/version";

/** Rethrows the error of refused input, as `invalid_request` if that is the operation's only code for bad input. */
export function refuse({ errors }: Operation, error: unknown): never {
  if (errors.includes("invalid_request")) asInvalidRequest(error);
  throw error;
}

/** Runs an operation, whose work on accepted input is `run`. `joining` is set for a create with `Claim-With`. */
export async function runOperation(
  operation: Operation,
  run: Accepted["run"],
  joining?: Joining,
): Promise<HttpResponse> {
  const result = await run();
  if (!(result instanceof Insertion)) return responseOf(operation, result);
  const stored = joining ? storeJoined(joining, (db) => result.store(db)) : result.store();
  const created = await stored;
  result.committed();
  return createdResponse(operation, created);
}

function responseOf(operation: Operation, result: unknown): HttpResponse {
  if (result instanceof HttpResponse) return result;
  const { status, schema, location } = operation.success;
  if (result === undefined) return new HttpResponse(status, {}, null);
  if (schema && config().validateResponses) schema.parse(result);
  // A captured PATCH needs no scope, and changes no resource.
  if (operation.method === "PATCH" && operation.scope !== null) return changed(result);
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  const json = toJson(result);
  if (operation.conditional || location) headers.ETag = resourceTag(result, json);
  if (isCreate(operation) || location) {
    headers.Location = `${location ?? operation.path}/${idOf(result)}`;
  }
  return new HttpResponse(status, headers, json);
}

/** The response to a create, whose tag covers the time of creation. */
function createdResponse(operation: Operation, created: object): HttpResponse {
  const response = responseOf(operation, created);
  if (createsClaimable(operation)) {
    response.headers.ETag = createdTag(created, String(response.body));
  }
  return response;
}

function idOf(result: unknown): string {
  if (typeof result === "object" && result !== null && "id" in result) return String(result.id);
  throw new Error("A create returned nothing with an ID.");
}

/**
 * Like `runOperation`, but at most once per idempotency key; a repeat gets the stored response.
 * `assertRecord` may throw before a response is recorded, which undoes the write.
 */
export async function runOperationOnce(
  operation: Operation,
  run: Accepted["run"],
  request: IdempotentRequest,
  joining?: Joining,
  assertRecord?: (response: HttpResponse) => void,
): Promise<HttpResponse> {
  const recordable = (result: unknown) => {
    const response = responseOf(operation, result);
    assertRecord?.(response);
    return response;
  };
  const response = isCreate(operation)
    ? await insertOnce(
        request,
        () => insertionOf(run),
        {
          record: recordable,
          response: (created) => createdResponse(operation, created),
        },
        joining,
      )
    : await idempotent(request, async (commit) => run(commit), recordable);
  if (response.headers[REPLAYED] === undefined) return response;
  if (createsClaimable(operation)) return replayedCreate(operation, response);
  return operation.repeated ? operation.repeated(response) : response;
}

/** The response to a repeated create, whose record has no tag. */
function replayedCreate(
  { restored }: Operation,
  { status, headers, body }: HttpResponse,
): HttpResponse {
  const recorded = JSON.parse(String(body));
  const created = restored ? restored(recorded) : recorded;
  const tagged = { ...headers, ETag: createdTag(created) };
  return new HttpResponse(status, tagged, restored ? toJson(created) : body);
}

async function insertionOf(run: Accepted["run"]): Promise<Insertion<object>> {
  const result = await run();
  if (result instanceof Insertion) return result;
  throw new Error("A create returned no insertion.");
}

/** The minimum length of an idempotency key that nobody else uses by chance, such as a UUID. */
export const UNSHARED_LENGTH = 16;

/** Separates stored responses by key or person or, without either, by address. */
export function scopeOf(caller: Caller, request: HttpRequest): string {
  if (caller.kind === "key") return caller.keyId;
  return caller.kind === "user" ? caller.userId : `address:${clientAddress(request)}`;
}

/**
 * Without an API key, only the idempotency key separates callers behind one address, and the ID of
 * a public resource is the permission. Throws 400 for a key that another caller might use too.
 */
export function assertUnshared({ repeated }: Operation, caller: Caller, key: string): void {
  if (caller.kind !== "anonymous" || config().localMode || repeated) return;
  if (key.length >= UNSHARED_LENGTH) return;
  throw invalidParam(
    "Idempotency-Key",
    `Without an API key, Idempotency-Key must have at least ${UNSHARED_LENGTH} characters, because callers behind one address share the record of its response. Use a UUID.`,
  );
}
