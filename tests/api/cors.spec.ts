import { expect, test } from "../support/fixtures";

/** The API ignores cookies, so any page may call it, but only with its own key. */

const EXPOSED = [
  "content-disposition",
  "content-range",
  "etag",
  "idempotency-replayed",
  "location",
  "mcp-session-id",
  "request-id",
  "retry-after",
  "schedule-id",
  "schedule-time",
  "www-authenticate",
];

test("Any origin may read every response, which sets no cookie and has a Request-Id of its own", async ({
  api,
  key,
}) => {
  const headers = { origin: "https://app.example" };
  const created = await api("POST", "/api/tasks", { key, headers, body: { name: "x" } });
  const path = `/api/tasks/${created.body.id}`;
  const read = await api("GET", path, { key, headers });
  const known = { ...headers, "if-none-match": read.headers.need("etag") };
  const stale = { ...headers, "if-match": '"stale"' };
  const responses = [
    created,
    read,
    await api("GET", path, { key, headers: known }),
    await api("GET", "/api/tasks", { headers }),
    await api("GET", "/api/health", { headers }),
    await api("GET", "/openapi.json", { headers }),
    await api("POST", "/api/tasks", { headers, raw: "{" }),
    await api("GET", path, { key: "svc_live_wrong", headers }),
    await api("GET", path, { headers }),
    await api("GET", "/api/tasks/tsk_0", { headers }),
    await api("GET", "/api/nothing", { headers }),
    await api("PUT", path, { headers }),
    await api("PATCH", path, { key, headers: stale, body: {} }),
    await api("POST", "/api/webhooks", { headers, raw: " ".repeat(1_000_001) }),
    await api("DELETE", path, { key, headers }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([
    201, 200, 304, 200, 200, 200, 400, 401, 403, 404, 404, 405, 412, 413, 204,
  ]);
  for (const response of responses) {
    expect(response.headers.all("access-control-allow-origin")).toEqual(["*"]);
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.members("access-control-expose-headers")).toEqual(
      expect.arrayContaining(EXPOSED),
    );
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("request-id")).toMatch(/^req_[0-9A-Za-z]+$/);
  }
  const ids = responses.map((response) => response.headers.get("request-id"));
  expect(new Set(ids).size).toBe(ids.length);
});
