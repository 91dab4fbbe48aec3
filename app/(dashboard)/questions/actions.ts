"use server";

import { revalidatePath } from "next/cache";
import { act } from "@/app/_shared/act";
import { answerOf, REFUSALS } from "@/app/_shared/form-answer";
import { answerWords } from "@/app/_shared/question-words";
import { formAction } from "@/app/_shared/run-action";
import { requireAccount } from "@/app/_shared/session";
import { fieldsIn, textField } from "@/app/(dashboard)/_shared/form-fields";
import {
  createAction,
  deleteAction,
  tagOf,
  updateAction,
} from "@/app/(dashboard)/_shared/resource-actions";
import { ApiError } from "@/lib/platform/errors";
import { type Question, QuestionCreate } from "@/lib/resources/questions/contract";
import { questionOperations as questions } from "@/lib/resources/questions/operations";
import { get } from "@/lib/resources/questions/service";

export const createQuestion = createAction("questions", questions.create, fieldsOf);
export const updateQuestion = updateAction("questions", questions.update, fieldsOf);
export const deleteQuestion = deleteAction("questions", questions.remove);

/** Answers as the person who is signed in. Even if that is refused, the page shows the current state. */
export const answerQuestion = formAction(async (data) => {
  const params = { id: textField(data, "id") };
  const { caller } = await requireAccount();
  try {
    const question = await get(caller, params.id);
    const answer = answerOf(data, question);
    await act(questions.answer, { params, body: { answer }, tag: tagOf(data) }).catch((error) => {
      throw refusalOf(error, { ...question, answer: answer ?? null });
    });
  } finally {
    revalidatePath("/questions", "layout");
    revalidatePath("/dashboard");
  }
});

/** The error in words for the person, with their answer if the page has no field for it anymore. */
function refusalOf(error: unknown, given: Question): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, message, param, headers } = error;
  const hasEnded = code === "question_answered" || code === "question_closed";
  const yours = hasEnded ? ` Yours was: ${answerWords(given)}` : "";
  const words = (REFUSALS[code] ?? message) + yours;
  return new ApiError(code, words, { param: param ?? undefined, headers });
}

export const withdrawQuestion = formAction(async (data) => {
  try {
    await act(questions.withdraw, { params: { id: textField(data, "id") } });
  } finally {
    revalidatePath("/questions", "layout");
  }
});

const OPTION_ID_MAX = 100;

/** The options are lines of the form. Each is its own ID, unless one is too long for that. */
function fieldsOf(data: FormData): Record<string, unknown> {
  // The field `form` of the page is the ID of the page's form.
  const fields = fieldsIn(QuestionCreate.omit({ form: true }), data);
  if (!data.has("options")) return fields;
  // Those that were typed for another kind are out of sight.
  const typed = data.get("kind") === "choice" ? textField(data, "options") : "";
  const lines = typed.split("\n");
  const labels = lines.map((line) => line.trim()).filter((line) => line !== "");
  const areShort = labels.every((label) => label.length <= OPTION_ID_MAX);
  const options = labels.map((label, n) => ({ id: areShort ? label : `option-${n + 1}`, label }));
  return { ...fields, options: options.length > 0 ? options : null };
}
