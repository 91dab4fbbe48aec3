import { organizationOf } from "@/lib/identity/access";
import { creatorNetwork } from "@/lib/identity/anonymous";
import { digestOf } from "@/lib/identity/keys/key-format";
import { isDeleted } from "@/lib/identity/organizations/deleted";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { randomBase62 } from "@/lib/platform/db/ids";
import { query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import type { Precondition } from "@/lib/platform/http/conditional";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { publish } from "@/lib/platform/wakeups/pubsub";
import { artifactKind } from "@/lib/resources/artifacts/kind";
import { recordChanges } from "@/lib/resources/change";
import { RANDOM_LENGTH } from "@/lib/resources/claim-token";
import { type Insertion, inserter } from "@/lib/resources/insertion";
import { resource } from "@/lib/resources/resource";
import { BLOCKS_TASKS } from "@/lib/resources/tasks/blocked";
import { taskKind } from "@/lib/resources/tasks/kind";
import { publishReady } from "@/lib/resources/tasks/ready-topic";
import { givenColumns } from "@/lib/resources/update";
import { originOf } from "@/lib/resources/url-origin";
import {
  type CreatedQuestion,
  EXPIRES_IN_DEFAULT,
  FIXED,
  Question,
  type QuestionCreate,
  type QuestionListQuery,
  type QuestionUpdate,
} from "./contract";
import { questionKind } from "./kind";
import { assertReplyReachable, assertReplyTo } from "./reply";
import { assertFitting, assertFixed, assertOpen, assertOwn } from "./rules";
import { IS_OPEN, QUESTION_COLUMNS, type QuestionRow, serializeQuestion } from "./serialize";

/** The topic of a question that is no longer open. */
export function answerTopic(id: string): string {
  return `question:${id}`;
}

/** A column that publishes the topic of each row of `questions`. */
const PUBLISHED = sql`${publish(sql`'question:' || questions.id`)}::text AS published`;

/** Columns that publish the end of each row of `questions`, also to workers that wait for the tasks it blocks. */
export const ENDED = sql`${PUBLISHED}, ${publishReady(sql`(
  SELECT questions.organization_id WHERE ${BLOCKS_TASKS})`)}`;

const LONG_TEXTS = ["prompt", "context", "options", "form", "answer", "reply_to"] as const;

export const questions = resource(questionKind, {
  schema: Question,
  columns: QUESTION_COLUMNS,
  serialize: serializeQuestion,
  get,
  searched: [sql`prompt`],
  longTexts: LONG_TEXTS,
  title: sql`left(split_part(prompt, E'\n', 1), 200)`,
  // An open question is in use: its agent has yet to hear how it ended.
  lastUsedAt: sql`CASE WHEN state = 'open' THEN unix_now() ELSE updated_at END`,
  // What a claim stops is the question's reply, which `enqueue` then holds.
  stops: sql`(changed_without_token AND replied_at IS NULL
              AND reply_to::json ->> 'url' IS NOT NULL)`,
  notify: ENDED,
  settings: (ids) => sql`
    SELECT id AS resource_id, 'target' AS setting,
           coalesce(${originOf(sql`(reply_to::json ->> 'url')`)},
                    reply_to::json ->> 'inbox_id') AS value,
           true AS survives_claim
    FROM questions WHERE id = ANY (${ids}) AND reply_to IS NOT NULL AND replied_at IS NULL`,
});

export const { find: findQuestion, load: loadQuestion, remove } = questions;

/** A question for the holder of its link, which ends with the organization. */
export function loadForLink(id: string): Promise<QuestionRow | undefined> {
  return queryOne<QuestionRow>(sql`
    SELECT ${QUESTION_COLUMNS} FROM questions
    WHERE id = ${id} AND NOT ${isDeleted(sql`organization_id`)}`);
}

/** The questions of the caller's organization, newest first. With `words`, those whose prompt has them. */
export function list(
  caller: Caller,
  listQuery: QuestionListQuery,
  words?: string,
): Promise<List<Question>> {
  const { state } = listQuery;
  const conditions = state === undefined ? [] : [isIn(state)];
  return questions.list(caller, listQuery, words, { conditions });
}

/**
 * Locks the questions that a claim token claims. An answer locks its question first, then the tasks that wait
 * for it and the inbox that hears of it; a claim does the same, so that the two do not deadlock.
 */
export async function lockClaimed(digest: string, db: Transaction): Promise<void> {
  // (a) An answer waits, and then finds the new owner.
  await query(
    sql`SELECT FROM questions WHERE claim_token_digest = ${digest} AND organization_id IS NULL
        ORDER BY id FOR NO KEY UPDATE`,
    db,
  );
}

/** How many open questions a count names; more are "99+". */
export const OPEN_COUNTED_MAX = 100;

/** How many questions of the caller's organization wait for a person, up to a hundred. */
export async function countOpen(caller: Caller): Promise<number> {
  const open = sql`
    SELECT 1 FROM questions WHERE organization_id = ${organizationOf(caller)} AND ${IS_OPEN}
    LIMIT ${OPEN_COUNTED_MAX}`;
  const row = await queryOne<{ count: number }>(sql`SELECT count(*) FROM (${open}) AS open`);
  return row?.count ?? 0;
}

/** The questions that meet all conditions, newest first. */
export function listQuestionsOf(conditions: Sql[], listQuery: ListQuery): Promise<List<Question>> {
  return listNewest<QuestionRow, Question>(
    {
      table: questions.table,
      columns: QUESTION_COLUMNS,
      longTexts: [...LONG_TEXTS, "external_id"],
      conditions,
      serialize: serializeQuestion,
    },
    listQuery,
  );
}

function isIn(state: Question["state"]): Sql {
  if (state === "open") return IS_OPEN;
  if (state !== "expired") return sql`state = ${state}::question_state`;
  return sql`(state = 'expired' OR (state = 'open' AND expires_at <= unix_now()))`;
}

/**
 * A new question of the caller's organization, or a public one with a claim token. Throws 400 if its
 * options or form do not match its kind, and 400, 403 or 404 for a task, document or inbox that it names.
 */
export async function creation(
  caller: Caller,
  input: QuestionCreate,
  db?: Transaction,
): Promise<Insertion<CreatedQuestion>> {
  const { kind, options = null, form = null, on_expiry = "expire", reply_to = null } = input;
  assertFitting(kind, { options, form }, on_expiry);
  await assertReplyTo(caller, reply_to, db);
  await assertOwn(caller, "task_id", input.task_id, taskKind, db);
  await assertOwn(caller, "artifact_id", input.artifact_id, artifactKind, db);
  const { identity, claim } = questions.newIdentity(caller);
  const token = `ans_${randomBase62(RANDOM_LENGTH)}`;
  // In the fragment, which is never sent to a server or logged.
  const answer_url = `${config().baseUrl}/answer/${identity.id}#${token}`;
  const row = {
    ...identity,
    answer_token_digest: digestOf(token),
    prompt: input.prompt,
    kind,
    options: options && JSON.stringify(options),
    form: form && JSON.stringify(form),
    context: input.context ?? null,
    task_id: input.task_id ?? null,
    artifact_id: input.artifact_id ?? null,
    on_expiry,
    require_sign_in: input.require_sign_in ?? false,
    reply_to: reply_to && JSON.stringify(reply_to),
    network: creatorNetwork(caller),
    public_only: caller.foreignPage !== undefined,
    external_id: input.external_id ?? null,
    expires_in: input.expires_in ?? EXPIRES_IN_DEFAULT,
  };
  const unanswered = { state: "open", answer: null, answered_by: null, answered_at: null } as const;
  return insertion(
    caller,
    row,
    (made) => {
      const expires_at = made.created_at + made.expires_in;
      const state = { ...unanswered, changed_without_token: false, expires_at };
      const shown = { ...made, ...state, now: made.created_at };
      return { ...serializeQuestion(shown), ...claim, answer_url };
    },
    ["expires_at"],
  );
}

/** What an update may change. */
const FIELDS = ["prompt", "options", "form", "context", "on_expiry", "external_id"] as const;

const insertion = inserter(questionKind, {
  columns: [...FIELDS, ...FIXED, "answer_token_digest", "network", "public_only"],
  computed: { expires_at: sql`unix_now() + (item->>'expires_in')::bigint` },
});

/** Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Question> {
  return serializeQuestion(await findQuestion(caller, id));
}

/** Throws 404, 403, 412, 409 unless the question is open, and 400 for what an upsert cannot change. */
export async function update(
  caller: Caller,
  id: string,
  changes: QuestionUpdate & Partial<QuestionCreate>,
  precondition?: Precondition,
): Promise<Question> {
  const { options, form, ...rest } = changes;
  const parts = { options: textOf(options), form: textOf(form) };
  const row = await findQuestion(caller, id);
  const current = serializeQuestion(row);
  for (const name of FIXED) assertFixed(name, changes[name], current[name]);
  const { options: wanted = row.options, form: asked = row.form } = parts;
  assertFitting(row.kind, { options: wanted, form: asked }, changes.on_expiry ?? row.on_expiry);
  const fixed = Object.fromEntries(FIXED.map((name) => [name, undefined]));
  const public_only = caller.foreignPage && Object.keys(changes).length > 0 ? true : undefined;
  if (public_only) assertReplyReachable(caller, current.reply_to);
  return updateQuestion(caller, id, { ...rest, ...fixed, ...parts, public_only }, precondition);
}

/** The stored text of a part that is JSON; undefined if it does not change. */
function textOf(part: object | null | undefined): string | null | undefined {
  return part && JSON.stringify(part);
}

const updateQuestion = questions.updater({
  assertUpdatable: assertOpen,
  where: IS_OPEN,
  set: sql`${givenColumns("Question", FIELDS)},
    public_only = public_only OR coalesce((changes).public_only, false),
    expires_at = CASE WHEN item->'expires_in' IS NULL THEN expires_at
                      ELSE unix_now() + (item->>'expires_in')::bigint END`,
  notify: PUBLISHED,
});

/** Ends up to `limit` questions whose time is over, and returns their number. */
export async function expireQuestions(limit: number): Promise<number> {
  const ended = await query(sql`
    WITH due AS (
      -- An answer that has locked its row wins.
      SELECT id FROM questions WHERE state = 'open' AND expires_at <= unix_now()
      ORDER BY expires_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ), written AS (
      UPDATE questions SET state = 'expired', updated_at = unix_now(), revision = revision + 1
      FROM due WHERE questions.id = due.id RETURNING questions.*
    ), recorded AS (${recordChanges("questions", "expired", sql`written`, null)})
    SELECT id, ${PUBLISHED} FROM written AS questions`);
  return ended.length;
}
