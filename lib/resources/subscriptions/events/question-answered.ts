import * as z from "zod";
import type { CallerWait } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { waitFor } from "@/lib/platform/wakeups/pubsub";
import { textOf } from "@/lib/resources/changes/position";
import { latestPosition } from "@/lib/resources/changes/read";
import { Question } from "@/lib/resources/questions/contract";
import { questionKind } from "@/lib/resources/questions/kind";
import { answerTopic, get } from "@/lib/resources/questions/service";
import { millisecondsToExpiry } from "@/lib/resources/questions/wait";
import { pulsesOf, readFeed, resumeFeed } from "./changed";
import { eventSource, type OccurrencePage } from "./source";

const ENDS = ["answered", "expired", "withdrawn"] as const;

export const questionAnswered = eventSource({
  name: "question.answered",
  description:
    "A person answered a question, or it expired or was withdrawn. With `question_id`, also sent if the question had already ended.",
  input: z.strictObject({
    question_id: text({ max: 100 })
      .optional()
      .describe("Only this question, qst_…. Without it, all of your organization."),
  }),
  payload: z.object({
    question_id: z.string().describe("The question."),
    state: z.enum(ENDS).describe("How it ended."),
    answer: Question.shape.answer,
    ended_at: z.int().describe("When, in Unix seconds."),
    question_url: z.string().describe("Where the question and its answer are."),
  }),
  needsKey: ({ question_id }) => question_id === undefined,
  pulses: (watched) => pulsesOf(questionKind, watched, ({ question_id }) => question_id),
  async start(caller, { question_id }) {
    if (question_id === undefined) return textOf(await latestPosition());
    await get(caller, question_id);
    return OPEN;
  },
  async resume(caller, { question_id }, cursor) {
    if (question_id === undefined) return resumeFeed(caller, cursor);
    return cursor === OPEN || cursor === ENDED ? cursor : undefined;
  },
  async read(caller, { question_id }, cursor, asked) {
    if (question_id !== undefined) return readOne(caller, question_id, cursor, asked.wait);
    const filter = { kind: ["questions"], action: ENDS } as const;
    const page = await readFeed(caller, filter, cursor, asked, (one) => ({ ...one }));
    const events = page.events.map(async ({ data, ...event }) => {
      const { resource_id, action } = data;
      const question = await get(caller, String(resource_id)).catch(nullIfGone);
      const answer = question?.answer ?? null;
      return { ...event, data: payloadOf(String(resource_id), String(action), answer, event.at) };
    });
    return { ...page, events: await Promise.all(events) };
  },
});

/** The positions before and after the end of a question. */
const OPEN = "end_0";
const ENDED = "end_1";

async function readOne(
  caller: Caller,
  id: string,
  cursor: string,
  wait: CallerWait | undefined,
): Promise<OccurrencePage> {
  let question = await get(caller, id);
  const isNews = () => cursor === OPEN && question.state !== "open";
  if (wait && !isNews()) {
    await waitFor([answerTopic(id), ...wait.credential.topics], wait, async (retryIn) => {
      question = await get(caller, id);
      const left = cursor === OPEN ? millisecondsToExpiry(question) : null;
      retryIn(left, await wait.credential.assertLive());
      return isNews() || undefined;
    });
  }
  if (!isNews()) return { events: [], cursor, hasMore: false };
  const { state, answer, answered_at, updated_at, expires_at } = question;
  const at = answered_at ?? (state === "expired" ? expires_at : updated_at);
  const event = { eventId: `${id}.${state}`, at, data: payloadOf(id, state, answer, at) };
  return { events: [{ ...event, cursor: ENDED }], cursor: ENDED, hasMore: false };
}

function payloadOf(id: string, state: string, answer: Question["answer"], at: number) {
  const question_url = `${config().baseUrl}/api/questions/${id}`;
  return { question_id: id, state, answer, ended_at: at, question_url };
}

/** A question that was deleted since has no answer any more. Any other failure is tried again. */
function nullIfGone(error: unknown): null {
  if (error instanceof ApiError && [403, 404].includes(error.status)) return null;
  throw error;
}
