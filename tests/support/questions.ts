import { expectStatus } from "./expectations";
import type { Api } from "./http";

export const APPROVE = { prompt: "Deploy version 2?", kind: "approve" };

export const COLOURS = {
  prompt: "Which colour?",
  kind: "choice",
  options: [
    { id: "red", label: "Red" },
    { id: "blue", label: "Blue" },
  ],
};

/** A form with a field of each type. */
export const FORM = {
  prompt: "Where shall the release go?",
  kind: "form",
  form: {
    type: "object",
    properties: {
      host: { type: "string", title: "Host", minLength: 2, maxLength: 100 },
      region: { type: "string", enum: ["eu", "us"], enumNames: ["Europe", "America"] },
      mail: { type: "string", format: "email" },
      site: { type: "string", format: "uri" },
      day: { type: "string", format: "date" },
      from: { type: "string", format: "date-time" },
      why: { type: "string", maxLength: 1000, description: "For the notes." },
      replicas: { type: "integer", minimum: 1, maximum: 9, default: 3 },
      share: { type: "number", minimum: 0, maximum: 1 },
      ["k".repeat(61)]: { type: "string" },
      notify: { type: "boolean", title: "Tell the team" },
      teams: {
        type: "array",
        title: "Teams",
        maxItems: 2,
        items: {
          anyOf: [
            { const: "ops", title: "Operations" },
            { const: "dev", title: "Development" },
            { const: "web", title: "Website" },
          ],
        },
      },
    },
    required: ["host", "region"],
  },
};

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
