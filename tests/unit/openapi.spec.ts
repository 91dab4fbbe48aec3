import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "playwright/test";
import { openApiDocument } from "@/lib/api/openapi/document";
import { nameOf } from "@/lib/api/openapi/schemas";
import { tagOf, tags } from "@/lib/api/tags";
import { AnonymousRegistered, ClaimComplete, ClaimStart } from "@/lib/identity/agents/contract";
import { guide } from "@/lib/identity/agents/guide";
import { config } from "@/lib/platform/config/config";
import { exampleOf } from "@/lib/platform/http/example";
import { sentenceOf } from "@/lib/platform/http/schema-fields";
import { TaskCreate } from "@/lib/resources/tasks/contract";
import { everyOperation } from "../support/operations";

const baseUrl = "https://agents.acme.dev";
const described = everyOperation.filter(({ inPartOnly }) => !inPartOnly);
const document = openApiDocument(described, everyOperation, baseUrl);
const parts = tags.map(({ name }) => {
  const tagged = everyOperation.filter((one) => tagOf(one) === name);
  return openApiDocument(tagged, everyOperation, baseUrl, { isPart: true });
});

test("The OpenAPI document and its parts pass Redocly's recommended rules", async () => {
  for (const one of [document, ...parts]) {
    const config = await createConfig({ extends: ["recommended"] });
    const found = await lintFromString({ source: JSON.stringify(one), config });
    // In every router a literal segment wins over a parameter: `/external/{external_id}` over `/{id}/lease`.
    const problems = found.filter(({ message }) => !message.includes("/external/{external_id}"));
    expect(
      problems.map(
        ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
      ),
    ).toEqual([]);
  }
});

/** What agents, senders, schedulers and providers were promised. */
const PROMISED: [path: string, methods: string][] = [
  ...["tasks", "webhooks", "artifacts", "messages", "inboxes"].flatMap(
    (kind): [string, string][] => [
      [`/api/${kind}`, "get post"],
      [`/api/${kind}/{id}`, "get patch delete"],
    ],
  ),
  ["/api/webhooks/{id}/events", "get delete"],
  ["/api/webhooks/{id}/events/{eventId}", "get delete"],
  ["/api/catch/{id}", "get post put patch delete"],
  ["/api/artifacts/{id}/raw", "get"],
  ["/api/messages/dispatch", "get post"],
  ["/api/inboxes/{id}/events", "get post"],
  ["/api/claim/{id}", "post"],
  ["/api/agent/auth", "post"],
  ["/api/agent/auth/claim", "post"],
  ["/api/agent/auth/claim/complete", "post"],
  ["/api/agent/auth/revoke", "post"],
  ["/.well-known/oauth-protected-resource", "get"],
  ["/.well-known/oauth-authorization-server", "get"],
  ["/auth.md", "get"],
];

test("The document has every method and path that was promised", () => {
  const missing = PROMISED.flatMap(([path, methods]) =>
    methods
      .split(" ")
      .filter((method) => !(method in (document.paths[path] ?? {})))
      .map((method) => `${method} ${path}`),
  );
  expect(missing).toEqual([]);
});

test("Every request body and JSON response has a named type", () => {
  const unnamed = everyOperation.flatMap(({ id, body, rawBody, success }) => {
    const schemas = [body, rawBody?.schema, success.contentType ? undefined : success.schema];
    return schemas.filter((schema) => schema && nameOf(schema) === undefined).map(() => id);
  });
  expect(unnamed).toEqual(["getOpenApi", "getOpenApiPart", "revokeAgent"]);
});

test("Every property and parameter has one sentence", () => {
  for (const one of [document, ...parts]) expect(undescribed(one)).toEqual([]);
});

/** Where a property or parameter is without a sentence. */
function undescribed(part: unknown, place = ""): string[] {
  if (typeof part !== "object" || part === null) return [];
  const isParameter = "in" in part && "name" in part;
  const members = Object.entries(part).flatMap(([name, inner]) => {
    const at = `${place}/${name}`;
    if (name === "example" || name === "examples") return [];
    const found = undescribed(inner, at);
    const isProperty = place.endsWith("/properties");
    return isProperty && !isDescribed(inner) ? [at, ...found] : found;
  });
  return isParameter && !isDescribed(part) ? [place, ...members] : members;
}

function isDescribed(part: unknown): boolean {
  const { description } = Object(part);
  return typeof description === "string" && /^[A-Z`].+\.$/.test(description);
}

test("A form shows the sentence of its field without Markdown", () => {
  expect(sentenceOf(TaskCreate, "external_id")).toBe(
    "Your own ID for it, or null. It need not be unique.",
  );
  expect(sentenceOf(TaskCreate, "priority")).toMatch(/ lease-next takes .* Default: low\.$/);
  expect(sentenceOf(TaskCreate, "target.task.name")).toBeUndefined();
});

test("The document is flat, and a set of values with null has its type", () => {
  const text = JSON.stringify([document, ...parts]);
  expect(text).not.toContain('"allOf"');
  JSON.parse(text, (_, value) => {
    if (Array.isArray(value?.enum) && value.enum.includes(null)) {
      expect(value.type).toEqual(["string", "null"]);
    }
    return value;
  });
});

test("The document has the bounds of times that are sent, no meaningless ones, and at most 1900 bytes per operation", () => {
  const text = JSON.stringify(document);
  const bounded = new Set<string>();
  JSON.parse(text, (name, value) => {
    const safe = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    const { minimum, maximum } = value?.schema ?? Object(value);
    if (minimum === safe[0] && maximum === safe[1]) bounded.add(value.name ?? name);
    else
      expect(
        [minimum, maximum].some((bound) => safe.includes(bound)),
        name,
      ).toBe(false);
    return value;
  });
  bounded.delete("schema"); // of a parameter, which has a name
  expect([...bounded].sort()).toEqual(["due_after", "due_at", "due_before", "scheduled_at"]);
  // It is read by language models. It grows with the API, so the bound is on what each operation adds.
  expect(Buffer.byteLength(text) / described.length).toBeLessThan(1900);
});

test("The texts for agents say how long this server repeats a response", () => {
  const { idempotencyRetentionSeconds } = config();
  Object.assign(config(), { idempotencyRetentionSeconds: 48 * 3600 });
  const changed = JSON.stringify(openApiDocument(described, everyOperation, baseUrl));
  const words = guide();
  Object.assign(config(), { idempotencyRetentionSeconds });
  expect(changed).toContain("returns the same response for 48 hours.");
  expect(words).toContain("within\n48 hours returns the same response");
});

test("The agent-auth endpoints have the statuses that they answer, and no others", () => {
  const paths = Object.assign({}, ...parts.map((one) => one.paths));
  const statuses = (below: string) =>
    Object.keys(paths[`/api/agent/auth${below}`].post.responses).join(" ");
  expect(statuses("")).toBe("201 400 401 409 422 429 503");
  expect(statuses("/claim")).toBe("200 400 404 409 410 422 429 503");
  expect(statuses("/claim/complete")).toBe("200 400 401 404 409 410 422 429");
  expect(statuses("/revoke")).toBe("200 400 409 422 429");
});

test("The claim token in the examples of agent auth is as long as a real one", () => {
  for (const schema of [AnonymousRegistered, ClaimStart, ClaimComplete]) {
    expect(Object(exampleOf(schema)).claim_token).toMatch(/^clm_[0-9A-Za-z]{25}$/);
  }
});

test("Every operation that may answer 412 takes If-Match", () => {
  for (const one of [document, ...parts]) {
    const without = Object.entries(one.paths).flatMap(([path, item]) => {
      const { parameters: common, ...methods } = Object(item);
      return Object.entries<object>(methods).flatMap(([method, operation]) => {
        const { parameters, responses } = Object(operation);
        const taken = JSON.stringify([common, parameters]);
        return "412" in responses && !taken.includes("/If-Match") ? [`${method} ${path}`] : [];
      });
    });
    expect(without).toEqual([]);
  }
});

test("Every request body and JSON response has a valid example", () => {
  for (const { id, body, rawBody, success } of everyOperation) {
    const taken = body ?? rawBody?.schema;
    const answered = success.contentType ? undefined : success.schema;
    for (const schema of [taken, answered]) {
      const name = schema && nameOf(schema);
      if (!schema || !name) continue;
      const example = exampleOf(schema);
      expect(schema.safeParse(example).error, `${id}: ${name}`).toBeUndefined();
    }
  }
});
