import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "playwright/test";
import { openApiDocument } from "@/lib/api/openapi/document";
import { nameOf } from "@/lib/api/schemas";
import { tags } from "@/lib/api/tags";
import { exampleOf } from "@/lib/docs/site/example";
import { clientFiles } from "@/scripts/client-types";
import { everyOperation } from "../support/operations";

const baseUrl = "https://agents.acme.dev";
const described = everyOperation.filter(({ inPartOnly }) => !inPartOnly);
const document = openApiDocument(described, everyOperation, baseUrl);
const parts = tags.map(({ name }) => {
  const tagged = everyOperation.filter(({ tag }) => tag === name);
  return openApiDocument(tagged, everyOperation, baseUrl, { isPart: true });
});

test("The OpenAPI document and its parts pass Redocly's recommended rules", async () => {
  for (const one of [document, ...parts]) {
    const config = await createConfig({ extends: ["recommended"] });
    const found = await lintFromString({ source: JSON.stringify(one), config });
    // `/external/{external_id}` and `/{id}/lease` share no method, and a literal segment wins over a parameter.
    const problems = found.filter(({ message }) => !message.includes("/external/{external_id}"));
    expect(
      problems.map(
        ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
      ),
    ).toEqual([]);
  }
});

test("Every request body and JSON response has a named type, and our client has the current ones", async () => {
  const unnamed = everyOperation.flatMap(({ id, body, rawBody, success }) => {
    const schemas = [body, rawBody?.schema, success.contentType ? undefined : success.schema];
    return schemas.filter((schema) => schema && nameOf(schema) === undefined).map(() => id);
  });
  expect(unnamed).toEqual(["getOpenApi", "getOpenApiPart", "revokeAgent"]);
  for (const [file, text] of Object.entries(clientFiles())) {
    expect(readFileSync(file, "utf8"), "npm run docs writes it").toBe(text);
  }
});

test("The document has no meaningless bounds and at most 1600 bytes per operation", () => {
  const text = JSON.stringify(document);
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  // It is read by language models. It grows with the API, so the bound is on what each operation adds.
  expect(Buffer.byteLength(text) / described.length).toBeLessThan(1600);
});

test("Every request body and JSON response has a valid example", () => {
  const whole = openApiDocument(everyOperation, everyOperation, baseUrl);
  for (const { id, body, rawBody, success } of everyOperation) {
    const taken = body ?? rawBody?.schema;
    const answered = success.contentType ? undefined : success.schema;
    for (const schema of [taken, answered]) {
      const name = schema && nameOf(schema);
      if (!schema || !name) continue;
      const example = exampleOf(whole.components.schemas, name);
      expect(schema.safeParse(example).error, `${id}: ${name}`).toBeUndefined();
    }
  }
});
