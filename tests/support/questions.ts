import { expectStatus } from "./expectations";
import type { Api } from "./http";

export const APPROVE = { prompt: "Deploy version 2?", kind: "approve" };

/** Asks a question, and returns it with its path, its answer token and a function that answers by the link. */
export async function ask(api: Api, key: string | undefined, body: object = APPROVE) {
  const response = await api("POST", "/api/questions", { key, body });
  expectStatus(response, 201);
  const { id, answer_url } = response.body;
  const path = `/api/questions/${id}`;
  const answer_token = new URL(answer_url).hash.slice(1);
  const answer = (given: unknown, more: object = { answer_token }) =>
    api("POST", `${path}/answer`, { body: { answer: given, ...more } });
  return { ...response.body, path, answer_token, answer };
}
