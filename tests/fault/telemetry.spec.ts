import { expectError, expectStatus } from "../support/expectations";
import { expect, PUBLIC, QUIET, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";
import type { RunningServer } from "../support/servers";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

test("A server goes on when nothing reads its logs any more", async ({ start }) => {
  const server = await start({ ...QUIET, LOG_LEVEL: "info" });
  server.closeOutput();
  for (const name of ["One", "Two", "Three"]) {
    expectStatus(await server.api("POST", "/api/tasks", { body: { name } }), 201);
  }
  await server.stop();
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

/** As an operator sets up a public server, with the paths of secrets in the URLs that it gets. */
test("A public server guards its metrics, logs requests and failures as JSON, and exports traces", async ({
  db,
  start,
  target,
  startTarget,
}) => {
  const METRICS_TOKEN = randomText(20);
  const collector = await startTarget();
  const server = await start({
    ...PUBLIC,
    ...QUIET,
    METRICS_TOKEN,
    DELIVERY_ALLOW_CIDRS: "127.0.0.0/8",
    LOG_LEVEL: "info",
    WEB_CONCURRENCY: "2",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  const { api } = server;

  await test.step("/metrics needs the token", async () => {
    const wrong = [undefined, "Bearer", `Bearer ${METRICS_TOKEN}x`, `Basic ${METRICS_TOKEN}`];
    for (const authorization of wrong) {
      const headers: Record<string, string> = authorization ? { authorization } : {};
      const response = await api("GET", "/metrics", { headers });
      expectError(response, 401, "unauthorized");
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
    }
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const scrape = async () => (await api("GET", "/metrics", { headers })).text;
    // With the leader. The server is ready when the first of the others is.
    await expect.poll(scrape).toMatch(/^server_processes 3$/m);
  });

  const secret = randomText(30);
  await test.step("A message and its delivery belong to the trace of the request", async () => {
    const message = await api("POST", "/api/messages", {
      body: { url: `${target.url}/${secret}`, delay_seconds: 0 },
      headers: { traceparent: TRACEPARENT, "x-forwarded-for": "203.0.113.9" },
    });
    expectStatus(message, 201);
    await api("POST", "/api/messages/dispatch");
    const sent = String(target.received[0]?.headers.traceparent);
    expect(sent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(sent).not.toBe(TRACEPARENT);
    const logged = await lineOf(server, String(message.headers.get("request-id")));
    expect(logged).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      operation: "createMessage",
      method: "POST",
      path: "/api/messages",
      status: 201,
      ms: expect.any(Number),
      request_id: message.headers.get("request-id"),
      key_id: null,
      address: "203.0.113.9",
      traceparent: expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`)),
    });
    const spans = () => Buffer.concat(collector.received.map(({ body }) => body));
    for (const part of [
      "POST /api/messages",
      "POST of a message",
      Buffer.from(TRACE, "hex"),
      Buffer.from(sent.slice(36, 52), "hex"),
    ]) {
      await expect.poll(() => spans().includes(part), String(part)).toBe(true);
    }
    expect(collector.received[0]?.path).toBe("/v1/traces");
    expect(spans().includes(secret)).toBe(false);
    expect(spans().includes(message.body.id)).toBe(false);
  });

  await test.step("Pages are logged too, without what is in their paths", async () => {
    const page = await api("GET", `/a/${secret}`, { headers: { accept: "text/html" } });
    const logged = await lineOf(server, String(page.headers.get("request-id")));
    const route = "/a/[token]";
    expect(logged).toMatchObject({ operation: route, path: route, status: 404 });
  });

  await test.step("A failure is a line of JSON with the request's ID", async () => {
    await db.query("ALTER TABLE tasks RENAME TO hidden");
    const response = await fetch(`${server.baseUrl}/api/tasks/tsk_${secret}`);
    await db.query("ALTER TABLE hidden RENAME TO tasks");
    expect(response.status).toBe(500);
    const id = String(response.headers.get("request-id"));
    const failure = await lineOf(server, id, "message");
    expect(failure).toMatchObject({ level: "error", message: "A request failed." });
    expect(failure.error).toContain("42P01");
    expect(await lineOf(server, id, "operation")).toMatchObject({ level: "error", status: 500 });
  });

  await test.step("The log has no secret, and each line is JSON", async () => {
    const lines = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
    expect(server.output()).not.toContain(secret);
    expect(server.output()).not.toContain(METRICS_TOKEN);
    expect(server.output(), "health checks and scrapes are for debugging").not.toMatch(
      /"operation":"get(Health|Readiness|Metrics)"/,
    );
  });
});

test("Without a collector, traces go on unchanged", async ({
  sharedServers: [{ api }],
  target,
}) => {
  const own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
  const create = async (traceparent: string, headers = {}) => {
    const body = { url: target.url, delay_seconds: 0, headers };
    expectStatus(await api("POST", "/api/messages", { body, headers: { traceparent } }), 201);
  };
  await create(TRACEPARENT);
  await create(TRACEPARENT, { traceparent: own });
  await create("00-nothing-of-the-kind");
  await api("POST", "/api/messages/dispatch");
  await expect
    .poll(() => target.received.map(({ headers }) => String(headers.traceparent)).sort())
    .toEqual([own, TRACEPARENT, "undefined"].sort());
});

/** The line of a request that has this property. */
async function lineOf(server: RunningServer, requestId: string, property = "operation") {
  const lines = () =>
    server
      .output()
      .split("\n")
      .filter((line) => line.includes(requestId) && line.startsWith("{"))
      .map((line): Record<string, unknown> => JSON.parse(line))
      .filter((entry) => property in entry);
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  return lines()[0] ?? {};
}
