import { spawnSync } from "node:child_process";
import path from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "playwright/test";
import { openApiDocument } from "@/lib/api/openapi";
import { nameOf } from "@/lib/api/schemas";
import { tags } from "@/lib/api/tags";
import { exampleOf } from "../support/examples";
import { everyOperation } from "../support/operations";

/** The OpenAPI document as tools read it. */

const baseUrl = "https://agents.acme.dev";
const described = everyOperation.filter(({ inPartOnly }) => !inPartOnly);
const document = openApiDocument(described, everyOperation, baseUrl);

test("Redocly's recommended rules find nothing in the document and its parts", async () => {
  const parts = tags.map(({ name }) =>
    openApiDocument(
      everyOperation.filter(({ tag }) => tag === name),
      everyOperation,
      baseUrl,
    ),
  );
  for (const one of [document, ...parts]) {
    const config = await createConfig({ extends: ["recommended"] });
    const found = await lintFromString({ source: JSON.stringify(one), config });
    // `/external/{external_id}` and `/{id}/lease` never have one method, and a name comes before a pattern.
    const problems = found.filter(({ message }) => !message.includes("/external/{external_id}"));
    expect(
      problems.map(
        ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
      ),
    ).toEqual([]);
  }
});

test("Every body and JSON answer has a named type in a generated client", async () => {
  const unnamed = everyOperation.flatMap(({ id, body, rawBody, success }) => {
    const schemas = [body, rawBody?.schema, success.contentType ? undefined : success.schema];
    return schemas.filter((schema) => schema && nameOf(schema) === undefined).map(() => id);
  });
  expect(unnamed).toEqual(["getOpenApi", "getOpenApiPart", "revokeAgent"]);
  const types = generatedTypes();
  for (const name of [
    "Task",
    "TaskCreate",
    "TaskList",
    "WebhookEvent",
    "InboxEventList",
    "Error",
  ]) {
    expect(types).toMatch(new RegExp(`^ {8}${name}: `, "m"));
  }
  expect(types).toContain('data: components["schemas"]["Task"][];');
});

test("The document has no bounds that say nothing, and is no larger than it must be", () => {
  const text = JSON.stringify(document);
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  expect(Buffer.byteLength(text)).toBeLessThan(110_000);
});

test("Every body and every JSON answer has an example, and it is valid", () => {
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

/** What openapi-typescript makes of the document, in a process that has the compiler it needs. */
function generatedTypes(): string {
  const argv = [
    "--import",
    "./tests/support/typescript-5.mjs",
    "node_modules/openapi-typescript/bin/cli.js",
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, {
    cwd: path.resolve(import.meta.dirname, "../.."),
    input: JSON.stringify(document),
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  expect(status, stderr).toBe(0);
  return stdout;
}
