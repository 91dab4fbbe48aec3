import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type ApiResponse, jsonOf } from "../support/http";
import { everyOperation, examplePath, methodsByPath } from "../support/operations";

/** What every path does besides its operations: 405, 404, HEAD, OPTIONS, trailing slashes. */

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const CORS_HEADERS = [
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "inbox-ttl-seconds",
  "last-event-id",
  "prefer",
  "*",
];

const paths = [...methodsByPath()];

test("Other methods than those of a path are 405 with Allow", async ({ api }) => {
  await eachOf(paths, async ([path, allowed]) => {
    for (const method of METHODS.filter((candidate) => !allowed.has(candidate))) {
      const response = await api(method, examplePath(path), { body: { anything: 1 } });
      expectError(response, 405, "method_not_allowed");
      expect({
        method,
        allow: response.headers.members("allow"),
        origin: response.headers.get("access-control-allow-origin"),
      }).toEqual({ method, allow: allowOf(path, allowed), origin: "*" });
    }
    if (!allowed.has("HEAD")) {
      const head = await api("HEAD", examplePath(path));
      expectStatus(head, 405);
      expect(head.headers.members("allow")).toEqual(allowOf(path, allowed));
      expect(head.text).toBe("");
    }
  });
});

test("OPTIONS on every path is 204 with Allow and CORS headers", async ({ api }) => {
  await eachOf(paths, async ([path, allowed]) => {
    const plain = await api("OPTIONS", examplePath(path));
    const preflight = await api("OPTIONS", examplePath(path), {
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": CORS_HEADERS.join(),
      },
    });
    for (const response of capturesOptions(path) ? [preflight] : [plain, preflight]) {
      expect({
        status: response.status,
        text: response.text,
        allow: response.headers.members("allow"),
        origin: response.headers.get("access-control-allow-origin"),
        methods: response.headers.members("access-control-allow-methods"),
        headers: response.headers.members("access-control-allow-headers"),
        credentials: response.headers.get("access-control-allow-credentials"),
        requestId: response.headers.get("request-id"),
      }).toEqual({
        status: 204,
        text: "",
        allow: lowerCase(allowed),
        origin: "*",
        methods: expect.arrayContaining(lowerCase(allowed)),
        headers: expect.arrayContaining(CORS_HEADERS),
        credentials: null,
        requestId: expect.stringMatching(/^req_/),
      });
    }
  });
});

const UNKNOWN = [
  "/api/nothing",
  "/api/task",
  "/api/tasks/tsk_x/nothing",
  "/api/tasks/tsk_x/y/z",
  "/api/claim",
  "/api/claim/tsk_x/y",
  "/api/v1/tasks",
  "/api/Tasks",
  "/api/nothing/",
  "/api/nothing?x=1",
  "/api/.env",
  "/api/openapi.json",
];
test("An unknown path is 404 route_not_found for every method", async ({ api, key: own }) => {
  for (const path of UNKNOWN) {
    for (const method of METHODS) {
      for (const key of [undefined, own]) {
        expectError(await api(method, path, { key }), 404, "route_not_found");
      }
    }
    const head = await api("HEAD", path);
    expectStatus(head, 404);
    expect(head.text).toBe("");
    expect(head.headers.get("request-id")).toMatch(/^req_/);
  }
});

test("The 404 of a path with an empty part says so", async ({ api, server }) => {
  const empty = ["/api/claim/", "/api/catch/", "/api/webhooks//events"];
  // Next redirects repeated slashes.
  for (const path of empty.filter((one) => server !== "next" || !one.includes("//"))) {
    expectEmptyPart(await api("POST", path, { body: {} }), path);
  }
  const { body } = await api("GET", "/api/");
  expect(body.error.message).toBe("This path does not exist. See /llms.txt.");
});

test("A DELETE with an unset ID deletes nothing more", async ({ api, key }) => {
  const wide = everyOperation.filter(({ deletesAll }) => deletesAll);
  expect(wide).toHaveLength(3);
  await eachOf(
    wide.map(({ path }) => [path]),
    async ([path]) => {
      const asked = `${examplePath(path)}/`;
      expectEmptyPart(await api("DELETE", asked, { key }), asked);
    },
  );
  const { body: inbox } = await api("POST", "/api/inboxes", { key, body: { name: "x" } });
  const events = `/api/inboxes/${inbox.id}/events`;
  expectStatus(await api("POST", events, { body: "stays" }), 201);
  expectEmptyPart(await api("DELETE", `${events}/`, { key }), `${events}/`);
  expect((await api("GET", `${events}/`, { key })).body.data).toHaveLength(1);
  expectStatus(await api("DELETE", events, { key }), 204);
  expect((await api("GET", events, { key })).body.data).toEqual([]);
});

test("The 404 of a path in the singular names the plural", async ({ api }) => {
  for (const [path, meant] of [
    ["/api/task", "/api/tasks"],
    ["/api/inbox/inbox_1/events", "/api/inboxes"],
  ] as const) {
    const { body } = await api("POST", path, { body: {} });
    expect(body.error.message).toContain(` Perhaps ${meant}? `);
  }
});

test("HEAD matches GET in status and headers, without a body", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  const CASES: Array<[path: string, key: string | undefined, status: number]> = [
    ["/api/tasks", key, 200],
    ["/api/tasks", undefined, 200],
    ["/api/tasks?limit=abc", key, 400],
    [`/api/tasks/${task.id}`, key, 200],
    [`/api/tasks/${task.id}`, undefined, 403],
    [`/api/tasks/${task.id}`, "svc_live_wrong", 401],
    ["/api/tasks/tsk_0", key, 404],
    ["/openapi.json", undefined, 200],
    ["/.well-known/oauth-protected-resource", undefined, 200],
    ["/.well-known/oauth-authorization-server", undefined, 200],
    ["/auth.md", undefined, 200],
    ["/api/health", undefined, 200],
  ];
  for (const [path, caller, status] of CASES) {
    const get = await api("GET", path, { key: caller });
    const head = await api("HEAD", path, { key: caller });
    expect(get.status, path).toBe(status);
    expect(head.status, path).toBe(status);
    expect(head.text, path).toBe("");
    expect(stableHeaders(head), path).toEqual(stableHeaders(get));
  }
});

test("A trailing slash works without a redirect", async ({ api, key }) => {
  const created = await api("POST", "/api/tasks/", { key, body: { name: "Slash" } });
  expectStatus(created, 201);
  const path = `/api/tasks/${created.body.id}/`;
  const list = await api("GET", "/api/tasks/?limit=1", { key });
  expect(list.body.data.map(({ id }) => id)).toEqual([created.body.id]);
  expectStatus(await api("GET", path, { key }), 200);
  expectStatus(await api("HEAD", path, { key }), 200);
  expectStatus(await api("OPTIONS", path), 204);
  expectStatus(await api("PATCH", path, { key, body: { name: "y" } }), 200);
  expectError(await api("PUT", path, { key }), 405, "method_not_allowed");
  const claim = await api("POST", `/api/claim/${created.body.id}/`, {
    key,
    body: { claim_token: "x" },
  });
  expectError(claim, 400, "resource_already_claimed", "id");
  const lease = await api("POST", `${path}lease/`, { key, body: { holder: "worker" } });
  const { lease_id } = jsonOf<TaskLease>(lease);
  expectStatus(await api("DELETE", `${path}lease/`, { key, body: { lease_id } }), 204);
  expectStatus(await api("DELETE", path, { key }), 204);
  expectStatus(await api("GET", "/api/health/"), 200);
});

test("Pages have a Request-Id like all responses", async ({ api }) => {
  for (const path of ["/", "/sign-in", "/nothing", "/.well-known/nothing", "/api/tasks"]) {
    expect((await api("GET", path)).headers.all("request-id")).toEqual([
      expect.stringMatching(/^req_[0-9A-Za-z]+$/),
    ]);
  }
});

test("A caller cannot choose the Request-Id", async ({ api }) => {
  const response = await api("GET", "/api/nothing", {
    headers: { "request-id": "req_chosen", "x-request-id": "req_chosen" },
  });
  expect(response.headers.get("request-id")).not.toBe("req_chosen");
  expectError(response, 404, "route_not_found");
});

function expectEmptyPart(response: ApiResponse, path: string) {
  expectError(response, 404, "route_not_found");
  expect(response.body.error.message).toBe(
    `A part of the path "${path}" is empty. Perhaps a variable is not set?`,
  );
}

/** Where OPTIONS is an operation, only CORS preflights get the usual response. */
function capturesOptions(path: string) {
  return everyOperation.some((one) => one.path === path && one.method === "OPTIONS");
}

/** Without headers that differ between responses or describe the body's transfer. */
function stableHeaders(response: ApiResponse) {
  const varying = [
    "date",
    "request-id",
    "content-length",
    "transfer-encoding",
    "connection",
    "keep-alive",
  ];
  return response.headers.pairs.filter(([name]) => !varying.includes(name)).sort();
}

/** The `Allow` of a 405. */
function allowOf(path: string, methods: Iterable<string>) {
  const fixed = everyOperation.find((operation) => operation.path === path)?.allow;
  return lowerCase(fixed === undefined ? methods : fixed.split(", "));
}

function lowerCase(methods: Iterable<string>) {
  return [...methods].map((method) => method.toLowerCase()).sort();
}
