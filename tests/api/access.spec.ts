import type { Organization } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { randomText } from "../support/keys";

/** Beyond the access matrix: side effects of refusals, and the order of checks. */

test("A read-only key cannot create, and nothing is stored", async ({
  api,
  organization,
  rows,
}) => {
  const name = `Refused ${randomText(20)}`;
  const response = await api("POST", "/api/tasks", { key: organization.readKey, body: { name } });
  expectError(response, 403, "insufficient_scope");
  expect(await rows.task.count({ where: { name } })).toBe(0);
});

test("Writing to a public task with a key does not claim it", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Public" } });
  const patched = await api("PATCH", `/api/tasks/${task.id}`, { key, body: { name: "Touched" } });
  expect(patched.body.organization_id).toBeNull();
  expectStatus(await api("GET", `/api/tasks/${task.id}`), 200);
  const list = await api("GET", "/api/tasks", { key });
  expect(list.body.data).toEqual([]);
});

test("The API reads credentials only from Authorization, not from cookies or other headers", async ({
  api,
  key,
}) => {
  await api("POST", "/api/tasks", { key, body: { name: "Mine" } });
  const response = await api("GET", "/api/tasks", {
    headers: {
      cookie: `session=${key}; api_key=${key}; authorization=Bearer ${key}`,
      "proxy-authorization": `Bearer ${key}`,
    },
  });
  expect(response.body.data).toEqual([]);
});

test.describe("The order of checks", () => {
  const missing = "/api/tasks/tsk_0000000000000000000000000";

  test("Routing comes first: an unknown path is 404 and a wrong method 405, whatever the credential", async ({
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
    const refused = await api("GET", "/api/tasks", { headers, query: { limit: "abc" } });
    expectError(refused, 401, "invalid_api_key");
    expectError(await api("GET", missing, { headers }), 401, "invalid_api_key");
    const huge = { ...headers, "content-length": "900000000" };
    expectError(await api("POST", "/api/tasks", { headers: huge }), 401, "invalid_api_key");
  });

  test("The lookup (404), ownership (403) and the body (400) come before If-Match (412)", async ({
    api,
    organization,
    key,
    otherOrganization,
  }) => {
    const headers = { "if-match": '"stale"' };
    const unknown = await api("PATCH", missing, { key, headers, body: {} });
    expectError(unknown, 404, "resource_not_found");
    const foreign = await makeTask(api, otherOrganization);
    expectError(await api("PATCH", foreign, { key, headers, body: {} }), 403, "forbidden");
    expectError(await api("DELETE", foreign, { key, headers }), 403, "forbidden");
    const own = await makeTask(api, organization);
    const nameless = await api("PATCH", own, { key, headers, body: { name: "" } });
    expectError(nameless, 400, "invalid_param", "name");
  });
});

async function makeTask(api: Api, { key }: Organization) {
  const created = await api("POST", "/api/tasks", { key, body: { name: "Original" } });
  expectStatus(created, 201);
  return `/api/tasks/${created.body.id}`;
}
