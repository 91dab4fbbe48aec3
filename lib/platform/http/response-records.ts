import { createHmac, randomUUID } from "node:crypto";
import { config } from "@/lib/platform/config/config";
import { removeRows } from "@/lib/platform/db/remove-rows";
import {
  query,
  queryOne,
  rowsOf,
  type Sql,
  sql,
  type Transaction,
  WITHOUT_DISK_WAIT,
} from "@/lib/platform/db/sql";
import { ApiError, retryAfter } from "@/lib/platform/errors";
import { HttpResponse } from "./response";
import { type SealingInput, sealResponse, unsealResponse } from "./sealed-response";

/** Marks a replayed response. */
export const REPLAYED = "Idempotency-Replayed";
/** How long a run holds its key without renewing it. After a crash, retries get 409 for as long. */
export const RUN_SECONDS = 60;

export interface IdempotentRequest {
  key: string;
  /** Identifies the caller. */
  scope: string;
  path: string;
  /** The body and query, which a repeat must match. */
  content: unknown;
  /** The header `Claim-With`, which a repeat must match too. */
  claimWith?: string | undefined;
  /** Asked after a run that wrote nothing: whether a repeat runs again. */
  runsAgain?(): boolean;
}

/** Identifies a record, whose content must match. */
interface Identity extends SealingInput {
  /** Has a second part for a request with `Claim-With`. */
  contentDigest: string;
}

/** One attempt at the work. */
export interface Run extends Identity {
  owner: string;
}

export function runOf(request: IdempotentRequest): Run {
  return { ...identityOf(request), owner: randomUUID() };
}

/**
 * Claims the key for `RUN_SECONDS`, or returns the stored response. Throws 409 while an earlier
 * request runs and 422 for other content.
 */
export async function beginRun(run: Run): Promise<HttpResponse | undefined> {
  // Of concurrent requests, one inserts or takes over the row; the others find it and fail.
  const taken = await queryOne(sql`
    INSERT INTO idempotency_records AS known (id, body_digest, answer, owner, owned_until)
    VALUES (${run.id}, ${run.contentDigest}, '', ${run.owner}, unix_now() + ${RUN_SECONDS}::bigint)
    ${takeOver()}
    -- Losing this row in a crash is harmless: the work commits later.
    RETURNING id, ${WITHOUT_DISK_WAIT}`);
  if (taken) return undefined;
  return (await readResponse(run)) ?? beginRun(run);
}

/** Keeps the key for `RUN_SECONDS` from now, unless the run is over or another request has taken over. */
export async function renewRun({ id, owner }: Run): Promise<void> {
  await query(sql`
    UPDATE idempotency_records SET owned_until = unix_now() + ${RUN_SECONDS}::bigint
    WHERE id = ${id} AND owner = ${owner} RETURNING ${WITHOUT_DISK_WAIT}`);
}

/** Stores the response. False if another request has taken over the key. */
export async function storeResponse(
  run: Run,
  response: HttpResponse,
  db?: Transaction,
): Promise<boolean> {
  const stored = await queryOne(
    sql`UPDATE idempotency_records
        SET answer = ${sealResponse(response, run)}, owner = NULL, owned_until = NULL
        WHERE id = ${run.id} AND owner = ${run.owner} RETURNING id`,
    db,
  );
  return stored !== undefined;
}

/** Frees the keys of runs whose work has failed, and returns the owners of those that had one. */
export async function releaseKeys(runs: Run[]): Promise<string[]> {
  const ids = runs.map(({ id }) => id);
  const owners = runs.map(({ owner }) => owner);
  const released = await query<{ owner: string }>(sql`
    DELETE FROM idempotency_records
    WHERE id = ANY (${ids}::text[]) AND owner = ANY (${owners}::text[])
    RETURNING owner, ${WITHOUT_DISK_WAIT}`);
  return released.map(({ owner }) => owner);
}

/** The record of a response, stored by the statement that inserts the row it describes. */
export interface ResponseRecord {
  id: string;
  body_digest: string;
  answer: Buffer;
}

/**
 * The record of the response to a create. Only the database knows the time of creation, so in a
 * JSON response the members named in `times` are stored relative to it.
 */
export function recordOf(
  request: IdempotentRequest,
  response: HttpResponse,
  times: readonly string[],
): ResponseRecord {
  const identity = identityOf(request);
  const isJson = response.headers["Content-Type"] === "application/json";
  return {
    id: identity.id,
    body_digest: identity.contentDigest,
    answer: sealResponse(response, identity, isJson ? times : undefined),
  };
}

/**
 * `WITH` queries that store records, each with the `resource_id` of the row that the same statement
 * inserts, unless it is in the query `ended`, if there is one. The query `refused` returns those that
 * are not stored.
 */
export function recordResponses(
  records: (ResponseRecord & { resource_id: string })[],
  hasEnded: boolean,
): Sql {
  const answers = records.map(({ answer }) => answer);
  let end = 0;
  const starts = answers.map(({ length }) => {
    end += length;
    return end - length;
  });
  const record = rowsOf("record", {
    id: { type: "text", values: records.map(({ id }) => id) },
    body_digest: { type: "text", values: records.map((one) => one.body_digest) },
    resource_id: { type: "text", values: records.map((one) => one.resource_id) },
    start: { type: "integer", values: starts },
    length: { type: "integer", values: answers.map(({ length }) => length) },
  });
  // The answers are one parameter, which is sent as bytes. In an array they would be hexadecimal.
  return sql`record AS (
      SELECT id, body_digest, resource_id,
        substring(${Buffer.concat(answers)}::bytea FROM start + 1 FOR length) AS answer
      FROM ${record}
    ), recorded AS (
      INSERT INTO idempotency_records AS known (id, body_digest, answer)
      -- One order everywhere, to avoid deadlocks.
      SELECT id, body_digest, answer FROM record
      ${hasEnded ? sql`WHERE resource_id NOT IN (SELECT id FROM ended)` : sql``} ORDER BY id
      ${takeOver()}
      RETURNING id
    ), refused AS (
      SELECT resource_id FROM record WHERE id NOT IN (SELECT id FROM recorded)
    )`;
}

/**
 * The stored response to an earlier request, or undefined. Throws 409 while that request runs and
 * 422 for other content.
 */
export function storedResponse(request: IdempotentRequest): Promise<HttpResponse | undefined> {
  return readResponse(identityOf(request));
}

/** Deletes up to `limit` expired responses, fewer if they have many megabytes, and returns their number. */
export function removeExpiredResponses(limit: number): Promise<number> {
  const expired = sql`created_at <= unix_now() - ${config().idempotencyRetentionSeconds}`;
  // Checks the age again once a row is locked, since another request may have reused its key by then.
  const where = sql`${expired} AND id IN (
    SELECT id FROM (
      SELECT id, sum(bytes) OVER (ORDER BY created_at, id) - bytes AS before
      FROM (SELECT id, created_at, octet_length(answer) AS bytes FROM idempotency_records
            WHERE ${expired} ORDER BY created_at LIMIT ${limit}) AS oldest
    ) AS summed WHERE before < 100000000)`;
  return removeRows({ table: sql`idempotency_records`, where }, limit);
}

/** The key was used with other content; `difference` names what differs. */
export function keyReused(difference = "another body or query"): ApiError {
  return new ApiError(
    "idempotency_key_reused",
    `This Idempotency-Key was used with ${difference}. Use a new key for a new request.`,
  );
}

export function inProgress() {
  return new ApiError(
    "idempotency_in_progress",
    "A request with this Idempotency-Key is still running. Try again in a moment.",
    { headers: retryAfter(1) },
  );
}

function identityOf(request: IdempotentRequest): Identity {
  const content = digest([request.content]);
  return {
    id: digest([request.scope, request.path, request.key]),
    contentDigest:
      request.claimWith === undefined ? content : `${content}.${digest([request.claimWith])}`,
    key: request.key,
  };
}

/** A function, because the configuration is not known when this file is loaded. */
function takeOver() {
  return sql`
  ON CONFLICT (id) DO UPDATE SET
    body_digest = excluded.body_digest, answer = excluded.answer, owner = excluded.owner,
    owned_until = excluded.owned_until, created_at = unix_now()
  WHERE known.created_at <= unix_now() - ${config().idempotencyRetentionSeconds} OR known.owned_until <= unix_now()`;
}

async function readResponse(identity: Identity): Promise<HttpResponse | undefined> {
  const known = await queryOne<{
    body_digest: string;
    answer: Buffer;
    running: boolean;
    created_at: number;
  }>(sql`
    SELECT body_digest, answer, owner IS NOT NULL AS running, created_at
    FROM idempotency_records
    WHERE id = ${identity.id} AND created_at > unix_now() - ${config().idempotencyRetentionSeconds}`);
  if (!known) return undefined;
  if (known.body_digest !== identity.contentDigest)
    throw differentContent(known.body_digest, identity);
  if (known.running) throw inProgress();
  const { status, headers, body } = unsealResponse(known.answer, identity, known.created_at);
  return new HttpResponse(status, { ...headers, [REPLAYED]: "true" }, body);
}

function differentContent(known: string, { contentDigest }: Identity): ApiError {
  const [knownContent, knownToken] = known.split(".");
  const [content, token] = contentDigest.split(".");
  if (knownContent !== content) return keyReused();
  if (knownToken === undefined)
    return keyReused("the same body, but without the header Claim-With");
  if (token === undefined) return keyReused("the same body and a header Claim-With");
  return keyReused("the same body, but another Claim-With header");
}

/** Keyed with the server secret, so that records sealed under another secret are never found. */
function digest(parts: unknown[]): string {
  return createHmac("sha256", config().serverSecret).update(JSON.stringify(parts)).digest("hex");
}
