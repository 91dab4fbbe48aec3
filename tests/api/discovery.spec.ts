import { createRequire } from "node:module";
import { slugOf, tagOf, tags } from "@/lib/api/tags";
import { kinds } from "@/lib/resources/kinds";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type Api, jsonOf } from "../support/http";
import { type Operation as Described, Document, type OpenApi } from "../support/openapi";
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
  // Clients compare it with the URL that they use (RFC 9728 §3.3).
  for (const [query, shown] of [
    ["?sign_in=true", "?sign_in=true"],
    ["?tools=tasks,inboxes&sign_in=true", "?tools=tasks,inboxes&sign_in=true"],
    ["?tools=tasks%2Cinboxes&other=1", "?tools=tasks,inboxes&other=1"],
    ["?", ""],
    ["?key=svc_live_x", ""],
    [`?x=${"x".repeat(1000)}`, ""],
  ]) {
    const { body } = await api("GET", `/.well-known/oauth-protected-resource/mcp${query}`);
    expect(body, query).toEqual({ ...root.body, resource: `${baseUrl}/mcp${shown}` });
  }
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
      if (type === "text/html") expect(response.headers.get("cache-control")).toContain("no-store");
      else expect(response.headers.get("vary")).toContain("Accept, Sec-Fetch-Site");
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
    const { openapi, info, servers } = jsonOf<OpenApi>(response);
    expect(openapi).toMatch(/^3\.1\.\d+$/);
    expect(info).toMatchObject({ title: expect.stringMatching(/\S/), version: packageVersion });
    expect(servers).toEqual([expect.objectContaining({ url: baseUrl })]);
  });

  test("It lists the operations under their IDs, and its parts together list all", async ({
    api,
  }) => {
    const named = (operation: { id: string; method: string; path: string }) =>
      `${operation.id}: ${titleOf(operation)}`;
    const titles = async (path: string) => (await documentOf(api, path)).operations.map(named);
    expect((await titles("/openapi.json")).sort()).toEqual(
      everyOperation
        .filter(({ inPartOnly }) => !inPartOnly)
        .map(named)
        .sort(),
    );
    const parts = await Promise.all(
      tags.map(({ name }) => titles(`/openapi/${slugOf(name)}.json`)),
    );
    expect(parts.flat().sort()).toEqual(everyOperation.map(named).sort());
    const unknown = await api("GET", "/openapi/nothing.json");
    expectError(unknown, 404, "resource_not_found");
    expect(unknown.body.error.message).toContain("tasks.json");
  });

  test("It describes the security, input and errors of every operation", async ({ api }) => {
    const { security, components } = jsonOf<OpenApi>(await api("GET", "/openapi.json"));
    expect(components.securitySchemes?.apiKey).toMatchObject({ type: "http", scheme: "bearer" });
    expect(security).toEqual([{}, { apiKey: [] }]);
    const document = await documentOf(api);
    expect(document.operation("claimResource").security).toEqual([{ apiKey: [] }]);
    const create = document.operation("createTask");
    expect(create.security).toBeUndefined();
    expect(create.body?.required).toBe(true);
    const failures = ["400", "401", "403", "409", "413", "422", "429"];
    expect(Object.keys(create.responses)).toEqual(["201", ...failures]);
    expect(document.operation("cancelMessage").responses).toHaveProperty("400");
    expect(document.operation("takeTaskLease").responses).toHaveProperty("409");
    expect(document.operation("ackInboxEvent").responses).toHaveProperty("409");
    for (const { id, success, inPartOnly } of everyOperation) {
      if (inPartOnly) continue;
      const { path, parameters, responses } = document.operation(id);
      expect(responses, id).toHaveProperty(String(success.status));
      expect(JSON.stringify(Object.values(responses).at(-1)), id).toContain(
        "#/components/schemas/Error",
      );
      const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => name);
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(inPath, id).toContain(name);
    }
    const names = document.operation("listTasks").query.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["limit", "after", "label", "external_id"]));
  });

  test("It documents If-Match and 304 exactly where ETags apply", async ({ api }) => {
    const takes = (operation: Described | undefined, header: string) =>
      operation?.parameters.some(({ name }) => name === header) ?? false;
    const { operations } = await documentOf(api);
    for (const path of new Set(operations.map((one) => one.path))) {
      const all = operations.filter((one) => one.path === path);
      const get = all.find(({ method }) => method === "GET");
      const hasTag = takes(get, "If-None-Match");
      expect(get?.responses["304"] !== undefined, path).toBe(hasTag);
      if (takes(get, "Range")) continue; // served as a file, which is changed on another path
      for (const change of all.filter(({ method }) => method === "PATCH" || method === "DELETE")) {
        expect(takes(change, "If-Match"), change.id).toBe(hasTag);
        expect(change.responses["412"] !== undefined, path).toBe(hasTag);
      }
    }
  });

  test("Capture and ingest accept any body; a capture is never 404, and a duplicate ingest is 200", async ({
    api,
  }) => {
    const document = await documentOf(api);
    const ingest = document.operation("ingestInboxEvent");
    for (const { body } of [ingest, document.operation("capturePost")]) {
      expect(body).toMatchObject({ required: false, contentType: "*/*" });
    }
    expect(Object.keys(ingest.responses).join(" ")).toBe("200 201 400 404 409 413 422 429");
    for (const { path, responses } of document.operations) {
      if (path !== "/api/catch/{id}") continue;
      expect(Object.keys(responses)).toEqual(["200", "429"]);
    }
    const registration = document.operation("registerAgent").parameters;
    expect(registration.map(({ name }) => name)).toContain("Idempotency-Key");
  });
});

async function documentOf(api: Api, path = "/openapi.json") {
  return new Document(jsonOf<OpenApi>(await api("GET", path)));
}
