import type { Row } from "@/lib/platform/db/columns";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { DISPATCH_IS_OFF } from "@/lib/resources/messages/dispatch-off";
import { IS_OPEN } from "@/lib/resources/questions/serialize";
import { HOUR_SECONDS } from "./settings";

/** Emails about questions that a member gets in an hour, in each organization. */
export const QUESTION_MAILS_MAX = 10;
/** The newest open questions of an organization, of which each is reported once. */
const QUESTIONS_MAX = 100;
const QUESTIONS_LISTED_MAX = 10;

/** Questions that wait, for a member who has not been told of them. */
export interface QuestionNews extends Row<"NoticeSetting", "id" | "reported_questions"> {
  /** The questions that had been reported before. */
  reported_before: string[];
  organization_name: string;
  /** Null if the member has no verified address. */
  email: string | null;
  count: number;
  /** The newest of them. */
  questions: Row<"Question", "id" | "prompt">[];
}

/**
 * The settings of members who chose these emails and whose organization has new open questions. Those who
 * have had all emails of the hour, or whose last one was refused, come later, with all that waits by then.
 */
const DUE = sql`
  SELECT setting.id, setting.reported_questions AS reported_before, newest.open
  FROM notice_settings AS setting CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(id), '{}') AS open FROM (
      SELECT id FROM questions
      WHERE organization_id = setting.organization_id AND ${IS_OPEN}
        AND created_at >= setting.questions_since
        -- Ends the search in the index. IDs have the time of a server, which may be behind.
        AND id >= CASE WHEN cardinality(setting.reported_questions) < ${QUESTIONS_MAX}
          THEN 'qst_' || id_time((setting.questions_since - ${HOUR_SECONDS}::bigint) * 1000000)
          ELSE (SELECT min(one) FROM unnest(setting.reported_questions) AS one) END COLLATE "C"
      ORDER BY id DESC LIMIT ${QUESTIONS_MAX}) AS one) AS newest
  WHERE setting.questions_since IS NOT NULL AND NOT ${DISPATCH_IS_OFF}
    AND NOT newest.open <@ setting.reported_questions
    AND (cardinality(setting.question_mails) < ${QUESTION_MAILS_MAX}
         OR setting.question_mails[1] <= unix_now() - ${HOUR_SECONDS}::bigint)
    AND coalesce(setting.question_mails[cardinality(setting.question_mails)], 0) <= unix_now()`;

/** The IDs of at most `limit` settings whose members have news. */
export async function settingsWithNews(limit: number): Promise<string[]> {
  const due = await query<{ id: string }>(sql`SELECT id FROM (${DUE}) AS due LIMIT ${limit}`);
  return due.map(({ id }) => id);
}

/**
 * Takes one member's news, if any is left, and records the questions as reported. Of more new ones than can be
 * recorded, the oldest are in no email.
 */
export function takeQuestionNews(settingId: string): Promise<QuestionNews | undefined> {
  const fresh = sql`id = ANY (due.open) AND id <> ALL (due.reported_before)`;
  // (a) Of concurrent processes one takes the news: the condition on `reported_questions` is checked
  // again for a row that another one has just written.
  return queryOne<QuestionNews>(sql`
    WITH due AS (${DUE} AND setting.id = ${settingId} FOR NO KEY UPDATE OF setting SKIP LOCKED)
    UPDATE notice_settings AS setting SET
      reported_questions = (
        SELECT array_agg(id) FROM (
          SELECT DISTINCT unnest(due.reported_before || due.open) AS id
          ORDER BY id DESC LIMIT ${QUESTIONS_MAX}) AS newest),
      question_mails = setting.question_mails[
        greatest(cardinality(setting.question_mails) - ${QUESTION_MAILS_MAX - 2}, 1):] || unix_now()
    FROM due WHERE setting.id = due.id
    RETURNING setting.id, setting.reported_questions, due.reported_before,
      (SELECT name FROM organizations WHERE id = setting.organization_id) AS organization_name,
      (SELECT email FROM users
       WHERE id = setting.user_id AND email_verified_at IS NOT NULL) AS email,
      (SELECT count(*) FROM questions WHERE ${fresh}) AS count,
      (SELECT coalesce(json_agg(one), '[]') FROM (
         SELECT id, left(prompt, 1000) AS prompt FROM questions WHERE ${fresh}
         ORDER BY id DESC LIMIT ${QUESTIONS_LISTED_MAX}) AS one) AS questions`);
}

/**
 * Lets a later email report the same. The refused one counts toward the hour's limit, and the next comes after
 * `pause` seconds.
 */
export async function giveNewsBack(news: QuestionNews, pause: number) {
  const { id, reported_questions, reported_before } = news;
  await query(sql`
    UPDATE notice_settings SET
      reported_questions = ${reported_before}::text[],
      question_mails = trim_array(question_mails, 1) || (unix_now() + ${pause}::bigint)
    WHERE id = ${id} AND reported_questions = ${reported_questions}::text[]`);
}
