import { createHmac, randomUUID } from "node:crypto";
import { config } from "@/lib/config/config";
import { type Db, query, queryOne, type Statement, sql, transaction } from "@/lib/db/sql";
import { ApiError, invalidParam } from "@/lib/errors";
import { logError } from "@/lib/telemetry/log";
import { Answer } from "./answer";
import type { HttpRequest } from "./request";
import { type SealingInput, seal, unseal } from "./sealed-answer";

/** Marks a replayed response. */
export const REPLAYED = "Idempotency-Replayed";

/** Longer than any request takes. After a crash, retries get 409 for this long. */
const RUN_SECONDS = 60;
/** A slower create rolls back, so that a retry after a crash waits no longer. */
const CREATE_SECONDS = 10;

/** A request with an idempotency key. */
export interface Repeatable {
  key: string;
  /** Tells callers apart. */
  scope: string;
  path: string;
  /** Must be equal in a repeat. */
  content: unknown;
  /** Others may share the scope and guess the key, so a replay omits secrets. */
  isGuessable?: boolean;
}

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
  work: () => Promise<Answer>,
): Promise<Answer> {
  return runOnce(request, RUN_SECONDS, async (run) => {
    const answer = await work();
    // The work is done, so a failure to store the response must not look like a failed request.
    const isStored = await store(run, answer).catch((error) => {
      logError("An idempotent response could not be stored.", error);
      return true;
    });
    if (!isStored) {
      logError(
        `An idempotent response could not be stored: ${request.path} took longer than ${RUN_SECONDS} s, and a repeat may have run as well.`,
      );
    }
    return answer;
  });
}

/**
 * Like `idempotent`, for work that only writes to `db`: the work and its stored response are one
 * transaction.
 */
export async function idempotentWrite(
  request: Repeatable,
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  return runOnce(request, CREATE_SECONDS, (run) =>
    transaction(async (db) => {
      const answer = await work(db);
      if (await store(run, answer, db)) return answer;
      throw inProgress();
    }),
  );
}

/** The record of a response that is stored in one statement with the row it describes. */
export interface AnswerRecord {
  id: string;
  body_digest: string;
  /** Base64. */
  answer: string;
}

/**
 * The record of the response to a create. Only the database knows the time of creation, so the
 * members named in `times` are relative to it, if the response is JSON.
 */
export function recordOf(request: Repeatable, answer: Answer, times: string[]): AnswerRecord {
  const identity = identityOf(request);
  const isJson = answer.headers["Content-Type"] === "application/json";
  return {
    id: identity.id,
    body_digest: identity.contentDigest,
    answer: seal(answer, identity, isJson ? times : undefined).toString("base64"),
  };
}

/**
 * `WITH` queries that store records, each with the `resource_id` of the row to be inserted by the
 * same statement. The query `refused` has those whose record exists already.
 */
export function recordAnswers(records: (AnswerRecord & { resource_id: string })[]): Statement {
  return sql`record AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(records)}::json)
        AS record (id text, body_digest text, answer text, resource_id text)
    ), recorded AS (
      INSERT INTO idempotency_records AS known (id, body_digest, answer)
      -- In the same order everywhere, to avoid deadlocks.
      SELECT id, body_digest, decode(answer, 'base64') FROM record ORDER BY id
      ${takeOver()}
      RETURNING id
    ), refused AS (
      SELECT resource_id FROM record WHERE id NOT IN (SELECT id FROM recorded)
    )`;
}

/**
 * The stored response to an earlier request, undefined if there is none. Throws 409 while that
 * request runs and 422 for other content.
 */
export async function storedAnswer(request: Repeatable): Promise<Answer | undefined> {
  return readAnswer(identityOf(request), request.isGuessable ?? false);
}

export function keyReused(): ApiError {
  return new ApiError(
    "idempotency_key_reused",
    "This Idempotency-Key was used with another body or query. Use a new key for a new request.",
  );
}

/** Deletes up to `limit` expired responses and returns their number. */
export async function removeExpiredAnswers(limit: number): Promise<number> {
  const removed = await query(sql`
    DELETE FROM idempotency_records WHERE id IN (
      SELECT id FROM idempotency_records WHERE created_at <= unix_now() - ${config().idempotencyRetentionSeconds}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id`);
  return removed.length;
}

/** Finds a record; its content must match. */
interface Identity extends SealingInput {
  contentDigest: string;
}

/** One attempt to do the work. */
interface Run extends Identity {
  owner: string;
}

function identityOf(request: Repeatable): Identity {
  return {
    id: digest([request.scope, request.path, request.key]),
    contentDigest: digest([request.content]),
    key: request.key,
  };
}

async function runOnce(
  request: Repeatable,
  seconds: number,
  work: (run: Run) => Promise<Answer>,
): Promise<Answer> {
  const run = { ...identityOf(request), owner: randomUUID() };
  const earlier = await begin(run, seconds, request.isGuessable ?? false);
  if (earlier) return earlier;
  try {
    return await work(run);
  } catch (error) {
    await releaseKey(run).catch(() => {}); // otherwise it expires
    throw error;
  }
}

/** Claims the key, or returns the stored answer. Throws 409 and 422. */
async function begin(run: Run, seconds: number, isGuessable: boolean): Promise<Answer | undefined> {
  // One of several concurrent requests inserts or takes over the row; the others see that row and
  // fail.
  const taken = await queryOne(sql`
    INSERT INTO idempotency_records AS known (id, body_digest, answer, owner, owned_until)
    VALUES (${run.id}, ${run.contentDigest}, '', ${run.owner}, unix_now() + ${seconds}::bigint)
    ${takeOver()}
    RETURNING id`);
  if (taken) return undefined;
  return (await readAnswer(run, isGuessable)) ?? begin(run, seconds, isGuessable);
}

/** A function, because the configuration is read once the server has begun to start. */
function takeOver() {
  return sql`
  ON CONFLICT (id) DO UPDATE SET
    body_digest = excluded.body_digest, answer = excluded.answer, owner = excluded.owner,
    owned_until = excluded.owned_until, created_at = unix_now()
  WHERE known.created_at <= unix_now() - ${config().idempotencyRetentionSeconds} OR known.owned_until <= unix_now()`;
}

async function readAnswer(run: Identity, isGuessable: boolean): Promise<Answer | undefined> {
  const known = await queryOne<{
    body_digest: string;
    answer: Buffer;
    running: boolean;
    created_at: number;
  }>(sql`
    SELECT body_digest, answer, owner IS NOT NULL AS running, created_at
    FROM idempotency_records
    WHERE id = ${run.id} AND created_at > unix_now() - ${config().idempotencyRetentionSeconds}`);
  if (!known) return undefined;
  if (known.body_digest !== run.contentDigest) throw keyReused();
  if (known.running) throw inProgress();
  const { status, headers, body } = unseal(known.answer, run, known.created_at);
  const shown = isGuessable ? withoutSecrets(body) : body;
  return new Answer(status, { ...headers, [REPLAYED]: "true" }, shown);
}

/** False when another request has taken over the key. */
async function store(run: Run, answer: Answer, db?: Db): Promise<boolean> {
  const stored = await queryOne(
    sql`UPDATE idempotency_records
        SET answer = ${seal(answer, run)}, owner = NULL, owned_until = NULL
        WHERE id = ${run.id} AND owner = ${run.owner} RETURNING id`,
    db,
  );
  return stored !== undefined;
}

async function releaseKey({ id, owner }: Run) {
  await query(sql`DELETE FROM idempotency_records WHERE id = ${id} AND owner = ${owner}`);
}

function inProgress() {
  return new ApiError(
    "idempotency_in_progress",
    "A request with this Idempotency-Key is still running. Try again in a moment.",
    { headers: { "Retry-After": "1" } },
  );
}

const SECRETS = ["claim_token", "claim_link", "share_url", "credential"];

function withoutSecrets(body: Answer["body"]): Answer["body"] {
  if (typeof body !== "string") return body;
  return JSON.stringify(JSON.parse(body), (name, value) =>
    SECRETS.includes(name) ? undefined : value,
  );
}

/** Keyed with the server secret, so that records sealed under another secret are never found. */
function digest(parts: unknown[]): string {
  return createHmac("sha256", config().serverSecret).update(JSON.stringify(parts)).digest("hex");
}
