import { assertAccess, unchangedSinceRead } from "@/lib/identity/access";
import { digestOf } from "@/lib/identity/keys/key-format";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, together, UNRECORDED } from "@/lib/platform/db/commit";
import { queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { countWrongToken } from "@/lib/platform/limits/fixed-window";
import { isSameSecret } from "@/lib/platform/secrets";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { isCreators, markChange } from "@/lib/resources/claim-token";
import { stableTag } from "@/lib/resources/version";
import type { Answer, Question } from "./contract";
import { assertReplyReachable, sendReply } from "./reply";
import { answerText, assertOpen } from "./rules";
import {
  IS_OPEN,
  QUESTION_COLUMNS,
  type QuestionRow,
  replyToOf,
  serializeQuestion,
  shownQuestion,
} from "./serialize";
import { ENDED, findQuestion, loadForLink, loadQuestion } from "./service";

interface Answering {
  /** The client that wrong tokens count against. */
  client: string;
  precondition?: Precondition | undefined;
  commit: Commit;
}

/**
 * Answers an open question, once. Throws 403 for keys and wrong tokens, 404, 400 for an answer that
 * does not fit, 409 if it is not open, and 412.
 */
export async function answer(
  caller: Caller,
  id: string,
  input: Answer,
  answering: Answering,
): Promise<Question> {
  const { client, precondition, commit } = answering;
  const row = await mayAnswer(caller, id, input.answer_token, client);
  assertOpen(row);
  precondition?.(serializeQuestion(row));
  const text = answerText(row, input.answer);
  const by = caller.kind === "user" ? caller.userId : null;
  // The first answer wins: the statement of any other finds no open row of this revision.
  const set = sql`state = 'answered', answer = ${text}, answered_by = ${by},
    answered_at = unix_now()`;
  const ended = await end(caller, row, { action: "answered", set, commit, shown: shownQuestion });
  return ended ?? answer(caller, id, input, answering);
}

/** Withdraws an open question. Idempotent. Throws 404, 403, and 409 if it has ended otherwise. */
export async function withdraw(caller: Caller, id: string, commit: Commit): Promise<Question> {
  const row = await findQuestion(caller, id);
  if (row.state === "withdrawn") return serializeQuestion(row);
  assertOpen(row);
  const byCreator = await isCreators(caller, id);
  const set = sql`state = 'withdrawn', ${markChange(sql`questions`, byCreator)}`;
  const shown = (question: Question) => question;
  const ended = await end(caller, row, { action: "withdrawn", set, commit, shown });
  return ended ?? withdraw(caller, id, commit);
}

/** A question as the holder of its link sees it. Throws 404, 403, and 429 after too many wrong tokens. */
export async function readByLink(
  id: string,
  token: string,
  client: string,
): Promise<{ question: Question; tag: string }> {
  const row = await loadForLink(id);
  if (!row) throw notFound("question", id);
  await assertToken(row, token, client);
  const question = serializeQuestion(row);
  return { question: shownQuestion(question), tag: stableTag(question) };
}

interface Ending {
  action: "answered" | "withdrawn";
  set: Sql;
  commit: Commit;
  shown(question: Question): Question;
}

/** Ends the question, and tells its agent in the same transaction; undefined if it is no longer as it was read. */
async function end(
  caller: Caller,
  row: QuestionRow,
  { action, set, commit, shown }: Ending,
): Promise<Question | undefined> {
  assertReplyReachable(caller, replyToOf(row));
  const public_only = row.public_only || caller.foreignPage !== undefined;
  const statement = sql`
    WITH written AS (
      UPDATE questions SET ${set}, updated_at = unix_now(), revision = revision + 1
      WHERE id = ${row.id} AND ${IS_OPEN} AND revision = ${row.revision}
        AND ${unchangedSinceRead(row, undefined)}
      RETURNING *
    ), recorded AS (${recordChanges("questions", action, sql`written`, actorOf(caller))})
    SELECT ${QUESTION_COLUMNS}, ${ENDED} FROM written AS questions`;
  const write = (db?: Transaction) => queryOne<QuestionRow>(statement, db);
  const writeAndReply = together(async (db) => {
    const written = await write(db);
    if (written) await sendReply({ ...written, public_only }, db, { frees: false });
    return written;
  });
  const ended = await commit(async (db) => {
    const written = await (row.reply_to === null ? write(db) : writeAndReply(db));
    return written ? shown(serializeQuestion(written)) : UNRECORDED;
  });
  return ended === UNRECORDED ? undefined : ended;
}

async function mayAnswer(
  caller: Caller,
  id: string,
  token: string | undefined,
  client: string,
): Promise<QuestionRow> {
  if (caller.kind === "key") {
    throw new ApiError(
      "forbidden",
      "A key cannot answer: a person does, by the link or signed in. Omit the key.",
    );
  }
  const row = await (token === undefined ? loadQuestion(id) : loadForLink(id));
  if (!row) throw notFound("question", id);
  if (token !== undefined) {
    await assertToken(row, token, client);
    if (row.require_sign_in && caller.kind === "anonymous") {
      throw new ApiError(
        "forbidden",
        "Only people who are signed in may answer this question. Open its link in a browser.",
      );
    }
  } else if (caller.kind === "anonymous" || row.organization_id === null) {
    throw new ApiError("forbidden", "Send the answer_token, which is the end of answer_url.");
  } else assertAccess(caller, row.organization_id);
  return row;
}

async function assertToken(row: QuestionRow, token: string, client: string): Promise<void> {
  if (isSameSecret(digestOf(token), row.answer_token_digest)) return;
  await countWrongToken(client);
  throw new ApiError("invalid_answer_token", "This is not the token of this question's link.", {
    param: "answer_token",
  });
}
