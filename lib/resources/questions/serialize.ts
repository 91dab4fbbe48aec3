import { columns, type RowOf } from "@/lib/platform/db/columns";
import { sql } from "@/lib/platform/db/sql";
import { toResource } from "@/lib/resources/to-resource";
import { Question, type QuestionOption, type ReplyTo } from "./contract";
import type { Form } from "./form";

const STORED_COLUMNS = columns(
  "Question",
  `id, organization_id, claim_token_digest, changed_without_token, answer_token_digest, prompt, kind, options, form,
   context, task_id, artifact_id, state, answer, answered_by, answered_at, on_expiry, expires_at, require_sign_in,
   reply_to, network, public_only, external_id, created_at, updated_at, revision`,
);

export const QUESTION_COLUMNS = sql`${STORED_COLUMNS}, unix_now() AS now`;

/** A row of `questions`, at the database's time `now`. */
export type QuestionRow = RowOf<typeof STORED_COLUMNS> & { now: number };

/** Whether a row of `questions` still takes an answer. */
export const IS_OPEN = sql`(state = 'open' AND expires_at > unix_now())`;

export function serializeQuestion(row: QuestionRow): Question {
  const isOver = row.state === "open" && row.expires_at <= row.now;
  const state = isOver ? "expired" : row.state;
  const isDenied = state === "expired" && row.kind === "approve" && row.on_expiry === "deny";
  return toResource(Question, row, {
    options: optionsOf(row),
    form: formOf(row),
    answer: row.kind === "form" && row.answer !== null ? JSON.parse(row.answer) : row.answer,
    reply_to: replyToOf(row),
    state,
    // `toResource` takes the column for a member that is undefined.
    ...(isDenied && { answer: "deny" }),
    ...(state === "answered" && { answered_by: row.answered_by ?? "link" }),
  });
}

/**
 * A question as the holder of its link sees it: without the agent's own fields, and without its task and artifact
 * once it has ended, since the holder must not see later edits of those.
 */
export function shownQuestion(question: Question): Question {
  const shown = { ...question, reply_to: null, external_id: null };
  return question.state === "open" ? shown : { ...shown, task_id: null, artifact_id: null };
}

export function replyToOf({ reply_to }: Pick<QuestionRow, "reply_to">): ReplyTo | null {
  return reply_to === null ? null : JSON.parse(reply_to);
}

export function optionsOf({ options }: Pick<QuestionRow, "options">): QuestionOption[] | null {
  return options === null ? null : JSON.parse(options);
}

export function formOf({ form }: Pick<QuestionRow, "form">): Form | null {
  return form === null ? null : JSON.parse(form);
}
