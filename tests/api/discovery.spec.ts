import { createRequire } from "node:module";
import { slugOf, tagOf, tags } from "@/lib/api/tags";
import { exampleOf } from "@/lib/platform/http/example";
import { kinds } from "@/lib/resources/kinds";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { everyOperation, titleOf } from "../support/operations";

/** What the discovery documents say. How they are served: agent-files.spec.ts. */

const packageVersion: unknown = createRequire(import.meta.url)("../../package.json").version;

test("The protected-resource metadata is complete and exact", async ({ api, baseUrl }) => {
  const response = await api("GET", "/.well-known/oauth-protected-resource");
  expectStatus(response, 200);
  expect(response.body).toEqual({
    resource: `${baseUrl}/`,
    resource_name: "Agent Infrastructure Service",
    authorization_servers: [baseUrl],
    scopes_supported: ["api.read", "api.write"],
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}/auth.md`,
  });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const refused = await api("POST", "/.well-known/oauth-protected-resource", { body: {} });
  expectError(refused, 405, "method_not_allowed");
});

test("/mcp has protected-resource metadata of its own", async ({ api, baseUrl }) => {
  const root = await api("GET", "/.well-known/oauth-protected-resource");
  const response = await api("GET", "/.well-known/oauth-protected-resource/mcp");
  expectStatus(response, 200);
  expect(response.body).toEqual({ ...root.body, resource: `${baseUrl}/mcp` });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});

test("Health reports the state of the service and its database, and nothing else", async ({
  api,
}) => {
  const response = await api("GET", "/api/health");
  expectStatus(response, 200);
  expect(Object.keys(response.body).sort()).toEqual([
    "database",
    "last_dispatch_at",
    "oldest_due_seconds",
    "status",
    "version",
  ]);
  expect(response.body).toMatchObject({ status: "ok", version: packageVersion, database: "ok" });
});

test("/llms.txt is at most 14 kB and lists every public path with its methods", async ({ api }) => {
  const response = await api("GET", "/llms.txt");
  expectStatus(response, 200);
  expect(response.bytes.length).toBeLessThanOrEqual(14_000);
  // All that an agent must read, also to get a key of its own.
  const guide = await api("GET", "/auth.md");
  expect(response.bytes.length + guide.bytes.length).toBeLessThanOrEqual(20_000);
  for (const operation of everyOperation) {
    const { method, path, success } = operation;
    const tag = tagOf(operation);
    if (!path.startsWith("/api/") || tag === "Operators" || tag === "Discovery") continue;
    const listed = path.replace(OF_EVERY_KIND, "/api/{kind}");
    // Those below a resource are in one line, which begins with its path.
    const [, start = "", rest] = /^(\/api\/\w+\/\{id\})(\/.+)$/.exec(listed) ?? [];
    const [, all = ""] = rest ? response.text.split(`- \`${start}\`: `) : ["", response.text];
    const [, names = ""] =
      (rest ? all.split("\n", 1)[0] : all)?.split(`\`${rest ?? listed}\` `) ?? [];
    const methods = /^[A-Z ]+/.exec(names)?.[0].trim().split(" ");
    // What only sends browsers to a page is not for agents.
    if (success.status === 303) expect(methods, path).not.toContain(method);
    else expect(methods, path).toContain(method);
  }
  expect(response.text).not.toContain("dispatch");
});

/** The start of the paths that every kind of resource has. */
const OF_EVERY_KIND = new RegExp(
  `^/api/(${kinds.map(({ name }) => name).join("|")})(?=$|/\\{id\\}$|/external/)`,
);

test("The calls in /llms.txt work as written, and its bodies are valid", async ({
  api,
  baseUrl,
}) => {
  const { text } = await api("GET", "/llms.txt");
  const calls = [...text.matchAll(/^ {4}curl '?([^ ']+)'? -d '(.+)'$/gm)];
  expect(calls).toHaveLength(kinds.length);
  for (const [, url = "", body = ""] of calls) {
    expect(url.startsWith(`${baseUrl}/api/`)).toBe(true);
    const { pathname, search } = new URL(url);
    expectStatus(await api("POST", pathname + search, { raw: Buffer.from(body) }), 201);
  }
  const bodies = [...text.matchAll(/^ {4}([A-Z]+) +(\/api\S+) +(\{.*?\})(?: {2}.*)?$/gm)];
  expect(bodies.length).toBeGreaterThan(5);
  for (const [line, method, path, body = ""] of bodies) {
    const operation = everyOperation.find((one) => one.method === method && one.path === path);
    expect(operation?.body?.safeParse(JSON.parse(body)).error, line).toBeUndefined();
  }
});

test("The example of each request body is accepted, given a valid lease or token", async ({
  api,
  key,
}) => {
  const send = async (id: string, params: Record<string, string> = {}, own: object = {}) => {
    const operation = everyOperation.find((one) => one.id === id);
    const schema = operation?.body ?? operation?.rawBody?.schema;
    const example = schema && exampleOf(schema);
    expect(example, id).toBeDefined();
    const path = operation?.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? "") ?? "";
    const response = await api(operation?.method ?? "", path, {
      ...(operation?.auth !== "ignored" && { key }),
      body: { ...Object(example), ...own },
    });
    expect([200, 201, 204], `${id}: ${response.text}`).toContain(response.status);
    const answered: Answered = JSON.parse(response.text || "{}");
    return answered;
  };
  for (const kind of ["Task", "Artifact", "Webhook", "Inbox", "Message", "Schedule", "Question"]) {
    const { id } = await send(`create${kind}`);
    await send(`update${kind}`, { id });
    await send(`upsert${kind}`, { external_id: "crm-4711" });
  }

  const task = await send("createTask");
  await send("changeTaskLabels", { id: task.id });
  const { lease_id } = await send("takeTaskLease", { id: task.id });
  await send("releaseTaskLease", { id: task.id }, { lease_id });
  await send("createTask");
  await send("leaseNextTask");
  const artifact = await send("createArtifact");
  await send("shareArtifact", { id: artifact.id });

  const { id } = await send("createInbox");
  const deliver = async () => {
    await api("POST", `/api/inboxes/${id}/events`, { body: { order: 7 } });
    const { data } = await send("receiveInboxEvents", { id });
    const [{ id: eventId = "", lease_id = "" } = {}] = data;
    return { id, eventId, lease_id };
  };
  const first = await deliver();
  await send("extendInboxEvent", first, { lease_id: first.lease_id });
  await send("nackInboxEvent", first, { lease_id: first.lease_id });
  const second = await deliver();
  await send("ackInboxEvent", second, { lease_id: second.lease_id });
  await send("settleInboxEvents", { id });
  await send("redriveInboxEvents", { id });

  const open = (await api("POST", "/api/tasks", { body: { name: "Public" } })).body;
  await send("claimResource", { id: open.id }, { claim_token: open.claim_token });
  await send("rotateMyKey");
});

test("The home page is at most 25 kB where HTML is asked for, else llms.txt, and links the documents", async ({
  api,
}) => {
  const llms = await api("GET", "/llms.txt");
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const script = { accept: "*/*", "sec-fetch-site": "same-origin" };
  const text = ["*/*", "application/json", "text/markdown, text/html;q=0.9, */*;q=0.1"];
  const answers: Record<string, Record<string, string>[]> = {
    "text/html": [browser, script, { accept: "text/html" }],
    "text/markdown": [{ accept: "text/markdown" }],
    "text/plain": [{}, { accept: "text/plain" }],
    text: text.map((accept) => ({ accept })),
  };
  for (const [type, all] of Object.entries(answers)) {
    for (const headers of all) {
      const response = await api("GET", "/", { headers });
      expectStatus(response, 200);
      expect(response.headers.get("content-type")).toContain(type);
      expect(response.headers.get("vary")?.toLowerCase()).toContain("accept");
      for (const path of ["/llms.txt", "/openapi.json", "/auth.md"]) {
        expect(response.headers.get("link")).toContain(`<${path}>; rel=`);
      }
      if (type === "text/html") expect(response.bytes.length).toBeLessThanOrEqual(25_000);
      else expect(response.text).toBe(llms.text);
    }
  }
});

test("An unknown path is the error envelope, or a page under 8 kB for GET and HEAD where HTML is asked for", async ({
  api,
}) => {
  for (const path of ["/nowhere", "/tasks/x/y/z", "/v1/tasks", "/.well-known/nope", "/API/TASKS"]) {
    for (const accept of ["*/*", "application/json", "application/json, text/plain, */*"]) {
      const response = await api("GET", path, { headers: { accept } });
      expectError(response, 404, "route_not_found");
    }
    const html = { headers: { accept: "text/html,*/*;q=0.8" } };
    const page = await api("GET", path, html);
    expectStatus(page, 404);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.bytes.length).toBeLessThan(8_000);
    expectStatus(await api("HEAD", path, html), 404);
    expectError(await api("POST", path, { body: {}, ...html }), 404, "route_not_found");
  }
});

test.describe("The OpenAPI document", () => {
  test("It is version 3.1 and names this server", async ({ api, baseUrl }) => {
    const response = await api("GET", "/openapi.json");
    expectStatus(response, 200);
    const document = parse(response.text);
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({
      title: expect.stringMatching(/\S/),
      version: packageVersion,
    });
    expect(document.servers.map(({ url }) => url)).toEqual([baseUrl]);
  });

  test("It lists the operations under their IDs, and its parts together list all", async ({
    api,
  }) => {
    const titles = async (path: string) => titlesIn(parse((await api("GET", path)).text));
    const registered = (operations: typeof everyOperation) =>
      operations.map((operation) => `${operation.id}: ${titleOf(operation)}`).sort();
    expect((await titles("/openapi.json")).sort()).toEqual(
      registered(everyOperation.filter(({ inPartOnly }) => !inPartOnly)),
    );
    const parts = await Promise.all(
      tags.map(({ name }) => titles(`/openapi/${slugOf(name)}.json`)),
    );
    expect(parts.flat().sort()).toEqual(registered(everyOperation));
    const unknown = await api("GET", "/openapi/nothing.json");
    expectError(unknown, 404, "resource_not_found");
    expect(unknown.body.error.message).toContain("tasks.json");
  });

  test("It describes the security, input and errors of every operation", async ({ api }) => {
    const document = parse((await api("GET", "/openapi.json")).text);
    const claim = document.paths["/api/claim/{id}"]?.post;
    expect(claim?.security).toEqual([{ [bearerScheme(document)]: [] }]);
    const create = document.paths["/api/tasks"]?.post;
    expect(create?.security).toBeUndefined();
    expect(document.security).toEqual([{}, { [bearerScheme(document)]: [] }]);
    expect(create?.requestBody?.required).toBe(true);
    const failures = ["400", "401", "403", "409", "413", "422", "429"];
    expect(Object.keys(create?.responses ?? {})).toEqual(["201", ...failures]);
    const statuses = (path: string, method: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {});
    expect(statuses("/api/messages/{id}/cancel", "post")).toContain("400");
    expect(statuses("/api/tasks/{id}/lease", "post")).toContain("409");
    expect(statuses("/api/inboxes/{id}/events/{eventId}/ack", "post")).toContain("409");
    for (const operation of everyOperation) {
      const { responses } = document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
      if (operation.inPartOnly || !responses) continue;
      expect(Object.keys(responses), operation.id).toContain(String(operation.success.status));
      const described = Object.values(responses).map((response) => resolved(document, response));
      expect(JSON.stringify(described.at(-1)), operation.id).toContain(
        "#/components/schemas/Error",
      );
    }
    const names = parametersOf(document, document.paths["/api/tasks"]?.get).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["limit", "after", "label", "external_id"]));
    for (const [path, item] of Object.entries(document.paths)) {
      for (const parameter of path.matchAll(/\{(\w+)\}/g)) {
        for (const operation of Object.values(item)) {
          const inPath = parametersOf(document, operation)
            .filter(({ in: place }) => place === "path")
            .map(({ name }) => name);
          expect(inPath, `${operation.operationId}`).toContain(parameter[1]);
        }
      }
    }
  });

  test("It documents If-Match and 304 exactly where ETags apply", async ({ api }) => {
    const document = parse((await api("GET", "/openapi.json")).text);
    const takes = (operation: OpenApiOperation | undefined, header: string) =>
      parametersOf(document, operation).some(({ name }) => name === header);
    for (const [path, { get, patch, delete: remove }] of Object.entries(document.paths)) {
      const hasTag = takes(get, "If-None-Match");
      expect(get?.responses?.["304"] !== undefined, path).toBe(hasTag);
      const hasContent = takes(get, "Range"); // served as a file, which is changed on another path
      for (const change of hasContent ? [] : [patch, remove]) {
        if (change) expect(takes(change, "If-Match"), `${change.operationId}`).toBe(hasTag);
        if (change) expect(change.responses?.["412"] !== undefined, path).toBe(hasTag);
      }
    }
  });

  test("Capture and ingest accept any body; a capture is never 404, and a duplicate ingest is 200", async ({
    api,
  }) => {
    const document = parse((await api("GET", "/openapi.json")).text);
    const { paths } = document;
    const ingest = paths["/api/inboxes/{id}/events"]?.post;
    const capture = paths["/api/catch/{id}"] ?? {};
    for (const operation of [ingest, capture.post]) {
      expect(operation?.requestBody).toMatchObject({ required: false, content: { "*/*": {} } });
    }
    expect(Object.keys(ingest?.responses ?? {})).toEqual([
      "200",
      "201",
      "400",
      "404",
      "409",
      "413",
      "422",
      "429",
    ]);
    for (const operation of Object.values(capture)) {
      expect(Object.keys(operation.responses ?? {})).toEqual(["200", "429"]);
    }
    const registration = parametersOf(document, paths["/api/agent/auth"]?.post);
    expect(registration.map(({ name }) => name)).toContain("Idempotency-Key");
  });
});

/** The response fields that later example requests need. */
interface Answered {
  id: string;
  lease_id: string;
  data: Array<{ id?: string; lease_id?: string }>;
}

function titlesIn({ paths }: OpenApi): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId }]) =>
        `${operationId}: ${titleOf({ method: method.toUpperCase(), path })}`,
    ),
  );
}

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  servers: Array<{ url: string }>;
  security: Array<Record<string, string[]>>;
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { securitySchemes: Record<string, { type: string; scheme: string }> };
}

interface OpenApiOperation {
  operationId: string;
  security?: Array<Record<string, string[]>>;
  requestBody?: { required?: boolean };
  parameters?: unknown[];
  responses?: Record<string, unknown>;
}

/** Copies the parameters common to a path to each of its operations. */
function parse(text: string): OpenApi {
  const document = JSON.parse(text);
  for (const item of Object.values<Record<string, OpenApiOperation>>(document.paths)) {
    const { parameters: common = [], ...operations } = item;
    delete item.parameters;
    for (const operation of Object.values(operations)) {
      operation.parameters = [...(operation.parameters ?? []), ...[common].flat()];
    }
  }
  return document;
}

function bearerScheme({ components }: OpenApi) {
  const found = Object.entries(components.securitySchemes).find(
    ([, { type, scheme }]) => type === "http" && scheme === "bearer",
  );
  return found?.[0] ?? "no bearer scheme";
}

function parametersOf(document: OpenApi, operation: OpenApiOperation | undefined) {
  return (operation?.parameters ?? []).map(
    (parameter) => resolved(document, parameter) as { name: string; in: string },
  );
}

/** Resolves a reference; returns anything else unchanged. */
function resolved(document: OpenApi, value: unknown): unknown {
  const isReference = typeof value === "object" && value !== null && "$ref" in value;
  return isReference ? resolve(document, String(value.$ref)) : value;
}

function resolve(document: unknown, reference: string): unknown {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null
        ? Reflect.get(value, step.replaceAll("~1", "/").replaceAll("~0", "~"))
        : undefined,
    document,
  );
}
