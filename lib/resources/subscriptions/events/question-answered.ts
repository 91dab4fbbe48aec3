import * as z from "zod";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { Question } from "@/lib/resources/questions/contract";
import { questionKind } from "@/lib/resources/questions/kind";
import { answerTopic, get } from "@/lib/resources/questions/service";
import { readExpiring } from "@/lib/resources/questions/wait";
import { endedSource } from "./ended";

const ENDS = ["answered", "expired", "withdrawn"] as const;

export const questionAnswered = endedSource({
  name: "question.answered",
  description:
    "A person answered a question, or it expired or was withdrawn. With `question_id`, also sent if the question had already ended.",
  input: z.strictObject({
    question_id: text({ max: 100 })
      .optional()
      .describe("Only this question, qst_…. Without it, all of your organization's."),
  }),
  payload: z.object({
    question_id: z.string().describe("The question."),
    state: z.enum(ENDS).describe("How it ended."),
    answer: Question.shape.answer,
    ended_at: z.int().describe("When, in Unix seconds."),
    question_url: z.string().describe("Where the question and its answer are."),
  }),
  kind: questionKind,
  idIn: ({ question_id }) => question_id,
  ends: () => ENDS,
  get: readExpiring,
  endOf({ question: { id, state, answered_at, updated_at, expires_at } }) {
    if (state === "open") return undefined;
    const at = answered_at ?? (state === "expired" ? expires_at : updated_at);
    return { id, state, at, eventId: `${id}.${state}`, cursor: "end_1" };
  },
  cursors: /^end_[01]$/,
  topicOf: answerTopic,
  pollMs: ({ question, expiresInMs }) => (question.state === "open" ? expiresInMs : null),
  async payloadOf(caller, { id, state, at }, read) {
    const found = read?.question ?? (await get(caller, id).catch(nullIfGone));
    const question_url = `${config().baseUrl}/api/questions/${id}`;
    return { question_id: id, state, answer: found?.answer ?? null, ended_at: at, question_url };
  },
});

/** A question that was deleted since has no answer any more. Any other failure is tried again. */
function nullIfGone(error: unknown): null {
  if (error instanceof ApiError && [403, 404].includes(error.status)) return null;
  throw error;
}
