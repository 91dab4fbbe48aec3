import type { Caller } from "@/lib/caller";
import { config } from "@/lib/config/config";
import { clientAddress } from "@/lib/http/address";
import { Answer } from "@/lib/http/answer";
import { REPLAYED, type Repeatable } from "@/lib/http/answer-records";
import { changed, resourceTag } from "@/lib/http/conditional";
import { idempotent } from "@/lib/http/idempotency";
import { toJson } from "@/lib/http/json-text";
import { type Accepted, isCreate, type Operation } from "@/lib/http/operation";
import type { HttpRequest } from "@/lib/http/request";
import { type Joining, storeJoined } from "@/lib/resources/claim-set";
import { insertOnce } from "@/lib/resources/insert-once";
import { Insertion } from "@/lib/resources/insertion";

/**
 * Runs an operation on its accepted input and makes the response. `joining` is for a create with
 * `Claim-With`. Throws the operation's errors.
 */
export async function runOperation(
  operation: Operation,
  accepted: Accepted,
  joining?: Joining,
): Promise<Answer> {
  const result = await accepted.run();
  if (!(result instanceof Insertion)) return answerOf(operation, result);
  const stored = joining ? storeJoined(joining, (db) => result.store(db)) : result.store();
  const created = await stored;
  result.committed();
  return answerOf(operation, created);
}

function answerOf(operation: Operation, result: unknown): Answer {
  if (result instanceof Answer) return result;
  const { status, schema, location } = operation.success;
  if (result === undefined) return new Answer(status, {}, null);
  if (schema && config().validateResponses) schema.parse(result);
  if (operation.method === "PATCH") return changed(result);
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  const json = toJson(result);
  if (operation.conditional) headers.ETag = resourceTag(result, json);
  if (isCreate(operation)) headers.Location = `${location ?? operation.path}/${idOf(result)}`;
  return new Answer(status, headers, json);
}

function idOf(result: unknown): string {
  if (typeof result === "object" && result !== null && "id" in result) return String(result.id);
  throw new Error("A create returned nothing with an ID.");
}

/** The same at most once per idempotency key; a repeat gets the stored response. */
export async function runOperationOnce(
  operation: Operation,
  accepted: Accepted,
  request: Repeatable,
  joining?: Joining,
): Promise<Answer> {
  const answer = isCreate(operation)
    ? await insertOnce(
        request,
        () => insertionOf(accepted),
        (created) => answerOf(operation, created),
        joining,
      )
    : await idempotent(request, () => runOperation(operation, accepted));
  const isRepetition = answer.headers[REPLAYED] !== undefined;
  return isRepetition && operation.repeated ? operation.repeated(answer) : answer;
}

async function insertionOf(accepted: Accepted): Promise<Insertion<unknown>> {
  const result = await accepted.run();
  if (result instanceof Insertion) return result;
  throw new Error("A create returned no insertion.");
}

/** Minimum length of an idempotency key that cannot be guessed, such as a UUID. */
const UNGUESSABLE_LENGTH = 16;

/** Separates stored responses by key or, without one, by address. */
export function scopeOf(caller: Caller, request: HttpRequest): string {
  return caller.kind === "key" ? caller.keyId : `address:${clientAddress(request)}`;
}

/** Without an API key, only the idempotency key separates callers behind one address. */
export function isGuessable({ repeated }: Operation, caller: Caller, key: string): boolean {
  const isShared = caller.kind === "anonymous" && !config().localMode;
  return isShared && key.length < UNGUESSABLE_LENGTH && !repeated;
}

/** The content that must be equal in a repeat: body, query and the claim token it was sent with. */
export function contentOf(body: unknown, search: string, claimWith?: string): unknown {
  if (claimWith !== undefined) return [body, search, claimWith];
  return search === "" ? body : [body, search];
}
