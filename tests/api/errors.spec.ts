import { challenges, expectEnvelope, expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { makeEndpoint } from "../support/webhooks";

/** What errors do not say. That each is in the envelope, every test of a refusal checks. */

test("A 403 for a foreign task reveals nothing about it", async ({
  api,
  organization,
  otherOrganization,
}) => {
  const body = { name: "Secret name", description: "Secret text", external_id: "secret-id" };
  const { body: task } = await api("POST", "/api/tasks", { key: otherOrganization.key, body });
  for (const key of [undefined, organization.key]) {
    const response = await api("GET", `/api/tasks/${task.id}`, { key });
    expectError(response, 403, "forbidden");
    expect(response.text.toLowerCase()).not.toContain("secret");
    expect(response.text).not.toContain(otherOrganization.id);
    expect(response.headers.get("etag")).toBeNull();
  }
});

test("Every 403 forbidden leads to a credential, whatever it refuses", async ({
  api,
  baseUrl,
  key,
}) => {
  const open = await makeEndpoint(api);
  const owned = await makeEndpoint(api, { key });
  const body = { url: "https://example.com/" };
  const replay = (id: string, headers = {}) =>
    api("POST", `/api/webhooks/${id}/replays`, { key, body, headers });
  const evil = { origin: "https://evil.example" };
  for (const [response, audience] of [
    [await api("GET", `/api/webhooks/${owned.id}`), "api"],
    [await replay(open.id), "api"],
    [await replay(owned.id, { "message-attempt": "1" }), "api"],
    [await api("POST", "/mcp", { body: {}, headers: evil }), "mcp"],
  ] as const) {
    expectError(response, 403, "forbidden");
    expect(response.headers.all("www-authenticate")).toEqual([
      challenges(baseUrl, audience).credentialNeeded,
    ]);
  }
});

test("An error never echoes the payload", async ({ api }) => {
  const long = "x".repeat(50_000);
  for (const response of [
    await api("POST", "/api/tasks", { body: { [long]: 1 } }),
    await api("POST", "/api/tasks", { body: { name: "x", priority: long } }),
    await api("POST", "/api/tasks", { raw: `{"name": ${long}` }),
    await api("GET", `/api/tasks/tsk_${long.slice(0, 8000)}`),
  ]) {
    expectEnvelope(response);
    expect(response.body.error.message.length).toBeLessThan(1000);
  }
});

test("Text that an error quotes in part is well-formed", async ({ api }) => {
  const long = `${"x".repeat(79)}${"😀".repeat(100)}`;
  for (const response of [
    await api("POST", "/api/tasks", { body: { [long]: 1 } }),
    await api("GET", `/api/tasks/${encodeURIComponent(long)}`),
  ]) {
    expectEnvelope(response);
    expect(response.text).not.toMatch(/\\ud83d/i);
  }
});

test("No response about a task may be stored in a shared cache", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  for (const response of [
    await api("GET", `/api/tasks/${task.id}`),
    await api("GET", `/api/tasks/${task.id}`, { key }),
    await api("GET", "/api/tasks", { key }),
  ]) {
    expect(response.headers.get("cache-control") ?? "").not.toMatch(
      /public|s-maxage|max-age=[1-9]/,
    );
  }
});
