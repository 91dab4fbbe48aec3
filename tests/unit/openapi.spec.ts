import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openApiDocument, openApiPart } from "@/lib/http/openapi";
import { nameOf } from "@/lib/http/schemas";
import { everyOperation } from "../support/operations";

/** The OpenAPI document as tools read it. */

const document = openApiDocument(everyOperation, "https://agents.acme.dev");

test("Redocly's recommended rules find nothing in the document and its parts", async () => {
  const parts = document.tags.map(({ name }) => openApiPart(document, name));
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
  expect(Buffer.byteLength(text)).toBeLessThan(140_000);
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
