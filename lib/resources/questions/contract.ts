import * as z from "zod";
import { withExample } from "@/lib/platform/http/example";
import {
  created,
  externalId,
  externalIdFilter,
  idOf,
  objectType,
  resourceFields,
  text,
  time,
  timeOrNull,
  wait,
} from "@/lib/platform/http/fields";
import { listQuery } from "@/lib/platform/lists/list";
import { targetUrl } from "@/lib/resources/messages/target";
import { ANSWER_CHARACTERS_MAX, anyForm, FIELDS_MAX, formField } from "./form";
import { questionKind } from "./kind";

const PROMPT_CHARACTERS_MAX = 10_000;
const CONTEXT_CHARACTERS_MAX = 100_000;
const OPTIONS_MIN = 2;
const OPTIONS_MAX = 20;
const EXPIRES_IN_MIN = 60;
export const EXPIRES_IN_MAX = 2_592_000;
export const EXPIRES_IN_DEFAULT = 604_800;

/** What an `approve` can be answered with. */
export const verdicts = ["approve", "deny"] as const;
const questionKinds = ["approve", "choice", "text", "form"] as const;
export const questionStates = ["open", "answered", "expired", "withdrawn"] as const;

const REQUIRE_SIGN_IN = "Whether only signed-in people may answer.";
const PROMPT = "What the person is asked.";
const KIND = "How it is answered.";
const ANSWER = "`approve` or `deny`, the ID of an option, text, or a form's values by field.";
const OPTIONS = "For a `choice`: what can be chosen, by `id` and `label`.";
const FORM = "For a `form`: a flat JSON Schema, as in MCP's elicitation.";
const CONTEXT = "Markdown to read with it.";
const TASK_ID = "A task of the same owner that it is about.";
const ARTIFACT_ID = "A document of the same owner to read with it.";
const ON_EXPIRY = "`deny`: an `approve` that nobody answers is denied.";

const REPLY_TO = "Where the outcome is sent: answered, expired or withdrawn.";

const ReplyTo = z
  .strictObject({
    inbox_id: text({ max: 100 })
      .optional()
      .describe("An inbox with the question's owner, which gets an event."),
    url: targetUrl.optional().describe("Or a URL, which gets a signed message."),
  })
  .check(({ value, issues }) => {
    if ((value.inbox_id === undefined) !== (value.url === undefined)) return;
    const message = "must have exactly one of inbox_id and url";
    issues.push({ code: "custom", message, input: value });
  })
  .meta({ id: "QuestionReplyTo" });
export type ReplyTo = z.infer<typeof ReplyTo>;

const QuestionOption = z
  .strictObject({
    id: text({ min: 1, max: 100 }).describe("The `answer` if this option is chosen."),
    label: text({ min: 1, max: 200 }).describe("What the person sees."),
  })
  .meta({ id: "QuestionOption" });
export type QuestionOption = z.infer<typeof QuestionOption>;

export const Question = z
  .object({
    id: idOf(questionKind.prefix),
    object: objectType("question"),
    prompt: z.string().describe(PROMPT),
    kind: z.enum(questionKinds).describe(KIND),
    options: z.array(z.record(z.string(), z.string())).nullable().describe(OPTIONS),
    form: anyForm.nullable().describe(FORM),
    context: z.string().nullable().describe(CONTEXT),
    task_id: z.string().nullable().describe(TASK_ID),
    artifact_id: z.string().nullable().describe(ARTIFACT_ID),
    state: z.enum(questionStates).describe("Whether an answer can still come, and why not."),
    answer: withExample(
      z
        .union([z.string(), z.record(z.string(), z.unknown()), z.null()])
        .describe("The answer, which is final, or null."),
      null,
    ),
    answered_by: z
      .string()
      .nullable()
      .describe("The ID of the signed-in person, else `link`; null without an answer."),
    answered_at: timeOrNull("When it was answered, in Unix seconds, or null."),
    on_expiry: z.enum(["expire", "deny"]).describe(ON_EXPIRY),
    require_sign_in: z.boolean().describe(REQUIRE_SIGN_IN),
    expires_at: time("When it expires, in Unix seconds."),
    reply_to: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Where the outcome is sent. Null in the response to an answer."),
    ...resourceFields,
  })
  .meta({
    id: "Question",
    examples: [{ prompt: "Deploy version 2?", kind: "approve", options: null, context: null }],
  });
export type Question = z.infer<typeof Question>;

export const CreatedQuestion = created(Question, "CreatedQuestion", questionKind.name, {
  answer_url: z.string().optional().describe("The page for the person who answers. Shown once."),
});
export type CreatedQuestion = z.infer<typeof CreatedQuestion>;

const fields = {
  prompt: text({ min: 1, max: PROMPT_CHARACTERS_MAX }).describe(PROMPT),
  kind: z.enum(questionKinds).describe(KIND),
  options: z
    .array(QuestionOption)
    .min(OPTIONS_MIN)
    .max(OPTIONS_MAX)
    .check(({ value, issues }) => {
      const ids = value.map(({ id }) => id);
      const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
      if (again === -1) return;
      const message = "must differ from the IDs of the other options";
      issues.push({ code: "custom", path: [again, "id"], message, input: value });
    })
    .nullable()
    .optional()
    .describe(OPTIONS),
  form: formField.nullable().optional().describe(FORM),
  context: text({ max: CONTEXT_CHARACTERS_MAX }).nullable().optional().describe(CONTEXT),
  task_id: text({ max: 100 }).nullable().optional().describe(TASK_ID),
  artifact_id: text({ max: 100 }).nullable().optional().describe(ARTIFACT_ID),
  expires_in: z
    .int()
    .min(EXPIRES_IN_MIN)
    .max(EXPIRES_IN_MAX)
    .optional()
    .describe(`Seconds from now until it expires. Default: ${EXPIRES_IN_DEFAULT}, 7 days.`),
  on_expiry: z.enum(["expire", "deny"]).optional().describe(`${ON_EXPIRY} Default: \`expire\`.`),
  require_sign_in: z.boolean().optional().describe(REQUIRE_SIGN_IN),
  reply_to: ReplyTo.nullable().optional().describe(REPLY_TO),
  external_id: externalId.optional(),
};

export const QuestionCreate = z
  .strictObject(fields)
  .meta({ id: "QuestionCreate", examples: [{ prompt: "Deploy version 2?", kind: "approve" }] });
export type QuestionCreate = z.infer<typeof QuestionCreate>;

/** Fields that an update cannot change. */
export const FIXED = ["kind", "require_sign_in", "reply_to", "task_id", "artifact_id"] as const;

export const QuestionUpdate = QuestionCreate.omit({
  kind: true,
  require_sign_in: true,
  reply_to: true,
  task_id: true,
  artifact_id: true,
})
  .partial()
  .meta({ id: "QuestionUpdate", examples: [{ expires_in: 86_400 }] });
export type QuestionUpdate = z.infer<typeof QuestionUpdate>;

export const QuestionListQuery = listQuery(questionKind.prefix).extend({
  state: z.enum(questionStates).optional().describe("Only those in this state."),
  external_id: externalIdFilter,
});
export type QuestionListQuery = z.infer<typeof QuestionListQuery>;

export const QuestionQuery = z.object({
  wait: wait("How many seconds to wait for it to end. Default: 0."),
});

export const Answer = z
  .strictObject({
    answer: z
      .union(
        [
          text({ min: 1, max: ANSWER_CHARACTERS_MAX }),
          z.record(z.string(), z.unknown()).meta({ maxProperties: FIELDS_MAX }),
        ],
        { error: "must be text or, for a form, an object with its values" },
      )
      .describe(ANSWER),
    answer_token: z
      .string()
      .min(1)
      .optional()
      .describe("The end of `answer_url`, after `#`. Members who are signed in need none."),
  })
  .meta({
    id: "QuestionAnswer",
    examples: [{ answer: "approve", answer_token: "ans_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }],
  });
export type Answer = z.infer<typeof Answer>;
