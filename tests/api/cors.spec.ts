import { expect, test } from "../support/fixtures";

/** The API ignores cookies, so any page may call it, but only with its own key. */

const EXPOSED = [
  "content-disposition",
  "content-range",
  "etag",
  "idempotency-replayed",
  "location",
  "request-id",
  "retry-after",
  "www-authenticate",
];

test("Any origin may read every response and its headers", async ({ api, key }) => {
  const headers = { origin: "https://app.example" };
  const created = await api("POST", "/api/tasks", { key, headers, body: { name: "x" } });
  const path = `/api/tasks/${created.body.id}`;
  const responses = [
    created,
    await api("GET", path, { key, headers }),
    await api("GET", "/api/tasks", { headers }),
    await api("GET", path, { key: "svc_live_wrong", headers }),
    await api("GET", path, { headers }),
    await api("GET", "/api/tasks/tsk_0", { headers }),
    await api("GET", "/api/nothing", { headers }),
    await api("PUT", path, { headers }),
    await api("POST", "/api/tasks", { headers, raw: "{" }),
    await api("GET", "/api/health", { headers }),
    await api("GET", "/openapi.json", { headers }),
    await api("DELETE", path, { key, headers }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([
    201, 200, 200, 401, 403, 404, 404, 405, 400, 200, 200, 204,
  ]);
  for (const response of responses) {
    expect(response.headers.all("access-control-allow-origin")).toEqual(["*"]);
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.members("access-control-expose-headers")).toEqual(
      expect.arrayContaining(EXPOSED),
    );
  }
});

test("The API sets no cookie", async ({ api, key }) => {
  for (const response of [
    await api("POST", "/api/tasks", { key, body: { name: "x" } }),
    await api("GET", "/api/tasks", { key }),
    await api("GET", "/api/tasks", { key: "svc_live_wrong" }),
  ]) {
    expect(response.headers.get("set-cookie")).toBeNull();
  }
});
