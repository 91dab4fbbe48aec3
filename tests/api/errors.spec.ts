import { expectEnvelope, expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { ApiResponse } from "../support/http";
import { randomText } from "../support/keys";

/** The error envelope. */

test("Every error has exactly type, code, message, param, doc_url and request_id, with the type of its status", async ({
  api,
  organization,
  key,
  otherOrganization,
}) => {
  const { body: own } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  const { body: foreign } = await api("POST", "/api/tasks", {
    key: otherOrganization.key,
    body: { name: "x" },
  });
  const { body: open } = await api("POST", "/api/tasks", { body: { name: "x" } });
  const path = `/api/tasks/${own.id}`;
  const headers = { "idempotency-key": randomText(20) };
  await api("POST", "/api/tasks", { key, headers, body: { name: "x" } });
  const claim = `/api/claim/${open.id}`;

  const wrongToken = { body: { claim_token: "x" } };
  const stale = { "if-match": '"x"' };
  const cases: [status: number, code: string, param: string | null, Promise<ApiResponse>][] = [
    [400, "invalid_json", null, api("POST", "/api/tasks", { raw: "{" })],
    [400, "unknown_param", "x", api("POST", "/api/tasks", { body: { x: 1 } })],
    [400, "missing_required_param", "name", api("POST", "/api/tasks", { body: {} })],
    [400, "invalid_param", "name", api("POST", "/api/tasks", { body: { name: "" } })],
    [
      400,
      "resource_already_claimed",
      "id",
      api("POST", `/api/claim/${own.id}`, { key, ...wrongToken }),
    ],
    [401, "unauthorized", null, api("POST", claim, wrongToken)],
    [401, "invalid_api_key", null, api("GET", path, { key: "svc_live_wrong" })],
    [403, "forbidden", null, api("GET", `/api/tasks/${foreign.id}`, { key })],
    [403, "insufficient_scope", null, api("DELETE", path, { key: organization.readKey })],
    [403, "invalid_claim_token", "claim_token", api("POST", claim, { key, ...wrongToken })],
    [404, "resource_not_found", null, api("GET", "/api/tasks/tsk_0", { key })],
    [404, "route_not_found", null, api("GET", "/api/nothing")],
    [405, "method_not_allowed", null, api("PUT", path)],
    [412, "precondition_failed", null, api("DELETE", path, { key, headers: stale })],
    [413, "payload_too_large", null, api("POST", "/api/webhooks", { raw: " ".repeat(1_000_001) })],
    [
      422,
      "idempotency_key_reused",
      null,
      api("POST", "/api/tasks", { key, headers, body: { name: "y" } }),
    ],
  ];
  for (const [status, code, param, response] of cases)
    expectError(await response, status, code, param);
});

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
