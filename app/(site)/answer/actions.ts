"use server";

import { act } from "@/app/_shared/act";
import { answerOf, REFUSALS } from "@/app/_shared/form-answer";
import { formAction } from "@/app/_shared/run-action";
import { visitor, visitorAddress } from "@/app/_shared/session";
import { shownName } from "@/lib/identity/access";
import { organizationNamed } from "@/lib/identity/organizations/members";
import { anonymous, type Caller } from "@/lib/platform/caller";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { clientOf } from "@/lib/resources/claim-token";
import { readByLink } from "@/lib/resources/questions/answer";
import type { Question } from "@/lib/resources/questions/contract";
import { type About, aboutOf } from "@/lib/resources/questions/documents";
import type { FormAnswer } from "@/lib/resources/questions/form";
import { questionOperations as questions } from "@/lib/resources/questions/operations";

/** A question as the holder of its link sees it. */
export interface Opened {
  token: string;
  question: Question;
  about: About;
  /** The name of the organization whose agent asks, unless it is an address. */
  asker: string | null;
  /** The version that is shown: an answer to another one is refused. */
  tag: string;
  /** Why an answer was not taken. */
  problem: string | null;
  /** The answer that was not taken. */
  given: string | FormAnswer | undefined;
  /** Only people who are signed in may answer, and the visitor is not. */
  mustSignIn: boolean;
  /** The name of the API key that the visitor is signed in with, which is no person. */
  keyName: string | undefined;
}

/** Opens a question with the token of its link, and answers it if the form has an answer. */
export const openOrAnswer = formAction<Opened>(async (data) => {
  const id = String(data.get("id"));
  // The whole link may have been pasted.
  const token = /ans_[0-9A-Za-z]+/.exec(String(data.get("answer_token")))?.[0];
  if (token === undefined)
    throw invalidParam("answer_token", "Paste the link that you were given.");
  const client = clientOf(anonymous, await visitorAddress());
  const before = await readByLink(id, token, client);
  const given = answerOf(data, before.question);
  const problem =
    given === undefined
      ? null
      : await act(questions.answer, {
          params: { id },
          body: { answer: given, answer_token: token },
          tag: String(data.get("tag")),
          as: await person(),
        }).then(
          () => null,
          (error) => problemOf(error, before.question),
        );
  const { question, tag } = given === undefined ? before : await readByLink(id, token, client);
  const { caller, account } = await visitor();
  const mustSignIn = question.require_sign_in && caller.kind !== "user";
  const keyName = account && caller.kind === "key" ? account.name : undefined;
  const owner = question.organization_id;
  const name = owner === null ? undefined : await organizationNamed(owner);
  const asker = shownName(anonymous, name ?? null);
  const about = await aboutOf(question, { forLink: true });
  return { token, question, about, asker, tag, problem, mustSignIn, keyName, given };
});

/** The visitor; a session of a key is nobody's. */
async function person(): Promise<Caller> {
  const { caller } = await visitor();
  return caller.kind === "user" ? caller : { ...anonymous, foreignPage: caller.foreignPage };
}

/** The error in words, for the page with the current question. Throws any other error, and that of a refused token. */
function problemOf(error: unknown, { form }: Question): string {
  if (!(error instanceof ApiError) || error.code === "invalid_answer_token") throw error;
  const [, key = ""] = /^answer\.(.+?)(\.\d+)?$/.exec(error.param ?? "") ?? [];
  const title = form?.properties[key]?.title ?? key;
  return REFUSALS[error.code] ?? error.message.replace(JSON.stringify(error.param), title);
}
