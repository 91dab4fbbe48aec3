import type { Organization } from "../support/accounts";
import { challenges, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Answer, Api } from "../support/http";
import { randomText } from "../support/keys";

/** `decisions.md` §3, row by row: who may do what with which resource. */

type Caller = "no credential" | "a read-only key" | "a key with both scopes";
type Resource =
  | "a public task"
  | "its own organization's task"
  | "another organization's task"
  | "a missing task";
type Outcome = "allowed" | "forbidden" | "insufficient_scope" | "resource_not_found";

const READ_AND_WRITE: Array<[Caller, Resource, Outcome, Outcome]> = [
  ["no credential", "a public task", "allowed", "allowed"],
  ["no credential", "another organization's task", "forbidden", "forbidden"],
  ["no credential", "a missing task", "resource_not_found", "resource_not_found"],
  ["a read-only key", "a public task", "allowed", "insufficient_scope"],
  ["a read-only key", "its own organization's task", "allowed", "insufficient_scope"],
  ["a read-only key", "another organization's task", "forbidden", "insufficient_scope"],
  ["a read-only key", "a missing task", "resource_not_found", "insufficient_scope"],
  ["a key with both scopes", "a public task", "allowed", "allowed"],
  ["a key with both scopes", "its own organization's task", "allowed", "allowed"],
  ["a key with both scopes", "another organization's task", "forbidden", "forbidden"],
  ["a key with both scopes", "a missing task", "resource_not_found", "resource_not_found"],
];

for (const [caller, resource, read, write] of READ_AND_WRITE) {
  test(`With ${caller}, reading ${resource} is ${read}`, async ({
    api,
    baseUrl,
    organization,
    otherOrganization,
  }) => {
    const path = await makeResource(api, resource, organization, otherOrganization);
    const answer = await api("GET", path, keyOf(caller, organization));
    expectOutcome(answer, read, 200, baseUrl);
  });

  test(`With ${caller}, updating ${resource} is ${write}`, async ({
    api,
    baseUrl,
    organization,
    otherOrganization,
  }) => {
    const path = await makeResource(api, resource, organization, otherOrganization);
    const answer = await api("PATCH", path, {
      ...keyOf(caller, organization),
      body: { name: "Changed" },
    });
    expectOutcome(answer, write, 200, baseUrl);
    const owner = resource === "another organization's task" ? otherOrganization : organization;
    if (resource !== "a missing task") {
      const now = await api("GET", path, { key: owner.key });
      expect(now.body.name).toBe(write === "allowed" ? "Changed" : "Original");
    }
  });

  test(`With ${caller}, deleting ${resource} is ${write}`, async ({
    api,
    baseUrl,
    organization,
    otherOrganization,
  }) => {
    const path = await makeResource(api, resource, organization, otherOrganization);
    expectOutcome(await api("DELETE", path, keyOf(caller, organization)), write, 204, baseUrl);
    const owner = resource === "another organization's task" ? otherOrganization : organization;
    const kept = resource !== "a missing task" && write !== "allowed";
    expectStatus(await api("GET", path, { key: owner.key }), kept ? 200 : 404);
  });
}

test("Creating without a credential makes a public task", async ({ api }) => {
  const created = await api("POST", "/api/tasks", { body: { name: "Public" } });
  expectStatus(created, 201);
  expect(created.body.organization_id).toBeNull();
});

test("Creating with a key of both scopes makes a task of its organization", async ({
  api,
  organization,
}) => {
  const created = await api("POST", "/api/tasks", {
    key: organization.key,
    body: { name: "Owned" },
  });
  expectStatus(created, 201);
  expect(created.body.organization_id).toBe(organization.id);
});

test("Creating with a read-only key is refused and makes nothing", async ({
  api,
  baseUrl,
  db,
  organization,
}) => {
  const name = `Refused ${randomText(20)}`;
  const answer = await api("POST", "/api/tasks", { key: organization.readKey, body: { name } });
  expectError(answer, 403, "insufficient_scope");
  expect(answer.headers.all("www-authenticate")).toEqual([challenges(baseUrl).insufficientScope]);
  const { rows } = await db.query("SELECT 1 FROM tasks WHERE name = $1", [name]);
  expect(rows).toHaveLength(0);
});

test("An anonymous list is empty, whatever public tasks exist", async ({ api }) => {
  await api("POST", "/api/tasks", { body: { name: "Public", external_id: "anonymous-list" } });
  for (const query of [{}, { limit: 100 }, { external_id: "anonymous-list" }]) {
    const answer = await api("GET", "/api/tasks", { query });
    expectStatus(answer, 200);
    expect(answer.body).toEqual({ object: "list", data: [], has_more: false, next_cursor: null });
  }
});

test("A list shows the caller's own organization only, to a read-only key too", async ({
  api,
  organization,
  otherOrganization,
}) => {
  const own = await api("POST", "/api/tasks", { key: organization.key, body: { name: "Mine" } });
  await api("POST", "/api/tasks", { key: otherOrganization.key, body: { name: "Theirs" } });
  await api("POST", "/api/tasks", { body: { name: "Public" } });
  for (const key of [organization.key, organization.readKey]) {
    const list = await api("GET", "/api/tasks", { key });
    expect(list.body.data.map(({ id }) => id)).toEqual([own.body.id]);
  }
});

test("Writing to a public task with a key does not take it over", async ({ api, organization }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Public" } });
  const patched = await api("PATCH", `/api/tasks/${task.id}`, {
    key: organization.key,
    body: { name: "Touched" },
  });
  expect(patched.body.organization_id).toBeNull();
  expectStatus(await api("GET", `/api/tasks/${task.id}`), 200);
  const list = await api("GET", "/api/tasks", { key: organization.key });
  expect(list.body.data).toEqual([]);
});

test("The JSON API reads Authorization only: a key in a cookie, the query or other headers is no credential", async ({
  api,
  organization,
}) => {
  await api("POST", "/api/tasks", { key: organization.key, body: { name: "Mine" } });
  const answer = await api("GET", "/api/tasks", {
    query: { api_key: organization.key, access_token: organization.key, key: organization.key },
    headers: {
      cookie: `session=${organization.key}; api_key=${organization.key}; authorization=Bearer ${organization.key}`,
      "x-api-key": organization.key,
      "proxy-authorization": `Bearer ${organization.key}`,
    },
  });
  expect(answer.body.data).toEqual([]);
});

test.describe("The order of checks", () => {
  const missing = "/api/tasks/tsk_0000000000000000000000000";

  test("The path comes first: an unknown path is 404 and another method 405, whatever the credential", async ({
    api,
  }) => {
    const headers = { authorization: "Bearer svc_live_wrong" };
    expectError(await api("GET", "/api/nothing-here", { headers }), 404, "route_not_found");
    expectError(await api("PUT", "/api/tasks", { headers }), 405, "method_not_allowed");
  });

  test("A bad credential (401) comes before the body, the query, the lookup and the size", async ({
    api,
  }) => {
    const headers = { authorization: "Bearer svc_live_wrong" };
    expectError(await api("PATCH", missing, { headers, raw: "{" }), 401, "invalid_api_key");
    expectError(
      await api("GET", "/api/tasks", { headers, query: { limit: "abc" } }),
      401,
      "invalid_api_key",
    );
    expectError(await api("GET", missing, { headers }), 401, "invalid_api_key");
    const huge = { ...headers, "content-length": "900000000" };
    expectError(await api("POST", "/api/tasks", { headers: huge }), 401, "invalid_api_key");
  });

  test("A missing scope (403) comes before the body and the lookup", async ({
    api,
    organization,
  }) => {
    const key = organization.readKey;
    expectError(await api("PATCH", missing, { key, raw: "{" }), 403, "insufficient_scope");
    expectError(
      await api("POST", "/api/tasks", { key, body: { nonsense: 1 } }),
      403,
      "insufficient_scope",
    );
    expectError(await api("DELETE", missing, { key }), 403, "insufficient_scope");
  });

  test("The body (400) comes before the lookup and the ownership", async ({
    api,
    organization,
    otherOrganization,
  }) => {
    const key = organization.key;
    expectError(
      await api("PATCH", missing, { key, body: { name: 5 } }),
      400,
      "invalid_param",
      "name",
    );
    const foreign = await makeResource(
      api,
      "another organization's task",
      organization,
      otherOrganization,
    );
    expectError(
      await api("PATCH", foreign, { key, body: { name: 5 } }),
      400,
      "invalid_param",
      "name",
    );
    expectError(await api("PATCH", foreign, { key, raw: "{" }), 400, "invalid_json");
  });

  test("The lookup (404) comes before a stale If-Match (412)", async ({ api, organization }) => {
    const answer = await api("PATCH", missing, {
      key: organization.key,
      headers: { "if-match": '"stale"' },
      body: {},
    });
    expectError(answer, 404, "resource_not_found");
  });

  test("The ownership (403) comes before a stale If-Match (412)", async ({
    api,
    organization,
    otherOrganization,
  }) => {
    const path = await makeResource(
      api,
      "another organization's task",
      organization,
      otherOrganization,
    );
    const headers = { "if-match": '"stale"' };
    expectError(
      await api("PATCH", path, { key: organization.key, headers, body: {} }),
      403,
      "forbidden",
    );
    expectError(await api("DELETE", path, { key: organization.key, headers }), 403, "forbidden");
  });

  test("A bad body (400) comes before a stale If-Match (412)", async ({ api, organization }) => {
    const path = await makeResource(api, "its own organization's task", organization, organization);
    const headers = { "if-match": '"stale"' };
    const answer = await api("PATCH", path, { key: organization.key, headers, body: { name: "" } });
    expectError(answer, 400, "invalid_param", "name");
  });
});

async function makeResource(api: Api, resource: Resource, own: Organization, other: Organization) {
  if (resource === "a missing task") return `/api/tasks/tsk_${randomText(25)}`;
  const key = {
    "a public task": undefined,
    "its own organization's task": own.key,
    "another organization's task": other.key,
  };
  const created = await api("POST", "/api/tasks", {
    key: key[resource],
    body: { name: "Original" },
  });
  expectStatus(created, 201);
  return `/api/tasks/${created.body.id}`;
}

function keyOf(caller: Caller, organization: Organization) {
  const keys = {
    "no credential": undefined,
    "a read-only key": organization.readKey,
    "a key with both scopes": organization.key,
  };
  return { key: keys[caller] };
}

function expectOutcome(answer: Answer, outcome: Outcome, success: number, baseUrl: string) {
  if (outcome === "allowed") return expectStatus(answer, success);
  if (outcome === "resource_not_found") return expectError(answer, 404, outcome);
  expectError(answer, 403, outcome);
  const { credentialNeeded, insufficientScope } = challenges(baseUrl);
  expect(answer.headers.all("www-authenticate")).toEqual([
    outcome === "forbidden" ? credentialNeeded : insufficientScope,
  ]);
}
