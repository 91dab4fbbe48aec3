import { operation } from "@/lib/platform/http/operation";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { clientOf } from "@/lib/resources/claim-token";
import { standardOperations } from "@/lib/resources/standard-operations";
import { answer, withdraw } from "./answer";
import * as contract from "./contract";
import { questionKind } from "./kind";
import { creation, get, list, remove, update } from "./service";
import { waitForAnswer } from "./wait";

const closed = ["question_answered", "question_closed"] as const;

export const questionOperations = {
  ...standardOperations({
    kind: questionKind,
    id: "Question",
    nouns: ["a question", "questions"],
    schemas: {
      resource: contract.Question,
      created: contract.CreatedQuestion,
      upserted: contract.CreatedQuestion,
      query: contract.QuestionListQuery,
      create: contract.QuestionCreate,
      update: contract.QuestionUpdate,
    },
    service: { list, creation, get, update, remove },
    create: {
      summary: "Ask a person",
      description: "Give `answer_url` to the person, then GET the question with `wait`.",
      errors: ["url_not_allowed"],
      failures: [404],
    },
    update: { description: "Only while it is open.", errors: closed },
  }),
  /** Instead of the standard one, which does not wait. */
  get: operation("GET /api/questions/{id}", {
    id: "getQuestion",
    summary: "Get a question, or wait for its answer",
    query: contract.QuestionQuery,
    success: { status: 200, schema: contract.Question },
    conditional: true,
    waits: ({ query }) => (query.wait ? { kind: "poll" } : undefined),
    handle: ({ caller, params, query, request }) =>
      waitForAnswer(caller, params.id, query.wait ?? 0, request.signal),
  }),
  answer: operation("POST /api/questions/{id}/answer", {
    id: "answerQuestion",
    inPartOnly: true,
    summary: "Answer a question",
    description: "For people: by the link, or signed in. A key gets 403. The first answer wins.",
    body: contract.Answer,
    texts: ({ answer }) => [typeof answer === "string" ? answer : JSON.stringify(answer)],
    finishesWork: true,
    errors: [...closed, "invalid_answer_token"],
    failures: [412],
    success: { status: 200, schema: contract.Question },
    handle: ({ caller, params, body, request, precondition, commit }) =>
      answer(caller, params.id, body, {
        client: clientOf(caller, countedAddress(request)),
        precondition,
        commit,
      }),
  }),
  withdraw: operation("POST /api/questions/{id}/withdraw", {
    id: "withdrawQuestion",
    summary: "Withdraw a question",
    description: "It takes no more answers. Idempotent.",
    takesClaimToken: true,
    errors: closed,
    success: { status: 200, schema: contract.Question },
    handle: ({ caller, params, commit }) => withdraw(caller, params.id, commit),
  }),
};
