import { expectError } from "../support/expectations";
import { expect, PUBLIC, QUIET } from "../support/fault-fixtures";
import { type ApiResponse, type CallOptions, call } from "../support/http";
import { messageOf, toolCall } from "../support/mcp";
import { withOneServer } from "../support/one-server";
import { clockWithRoom } from "../support/windows";

/** What only a public server limits. */

const test = withOneServer({ ...PUBLIC, ...QUIET });

test("A public server limits tool calls and waits by address and key, as the API does", async ({
  server: { baseUrl },
  db,
  key,
}) => {
  const post = (message: unknown, address: string, options: CallOptions = {}) =>
    call(baseUrl, "POST", "/mcp", {
      body: message,
      ...options,
      headers: { "x-forwarded-for": address, ...options.headers },
    });
  const create = toolCall("create_task", { name: "x" });
  const address = `198.51.100.${Math.ceil(Math.random() * 250)}`;

  await clockWithRoom(db, 60);
  // Anonymous writes, which the HTTP API counts with them.
  const tasks = await Promise.all(Array.from({ length: 60 }, () => post(create, address)));
  expect(tasks.map((response) => messageOf(response).result.isError)).toEqual(
    Array(60).fill(undefined),
  );
  const { result } = messageOf(await post(create, address));
  expect(result.isError).toBe(true);
  expect(JSON.parse(result.content[0].text)).toMatchObject({
    error: { code: "rate_limited" },
    retry_after: expect.any(Number),
  });
  const headers = { "x-forwarded-for": address };
  const overHttp = await call(baseUrl, "POST", "/api/tasks", { body: { name: "x" }, headers });
  expectError(overHttp, 429, "rate_limited");
  const get = toolCall("get", { id: messageOf(tasks[0] ?? overHttp).result.structuredContent.id });
  expect(messageOf(await post(get, address)).result.isError).toBeUndefined();
  expect(messageOf(await post(create, "203.0.113.9")).result.isError).toBeUndefined();

  // A call counts once for a key, and the response says so.
  const before = await post(get, address, { key });
  const after = await post(create, address, { key });
  const left = [before, after].map(({ headers }) => /r=(\d+)/.exec(headers.need("ratelimit"))?.[1]);
  expect(Number(left[0]) - Number(left[1])).toBe(1);

  // Any page may call, since no cookie is read.
  const page = { headers: { origin: "https://evil.example" } };
  expect((await post(get, address, page)).status).toBe(200);

  // Waits count with long polls, and free their places.
  const { body: endpoint } = await call(baseUrl, "POST", "/api/webhooks", {
    body: { name: "x" },
    headers: { "x-forwarded-for": "203.0.113.9" },
  });
  const wait = toolCall("wait", { id: endpoint.id, wait: 20 });
  const responses: ApiResponse[] = [];
  const waits = Array.from({ length: 70 }, () =>
    post(wait, address).then((response) => responses.push(response)),
  );
  await expect.poll(() => responses.length).toBe(6);
  for (const response of responses) expect(messageOf(response).result.isError).toBe(true);
  await call(baseUrl, "POST", new URL(endpoint.url).pathname, { raw: "ends the waits" });
  await Promise.all(waits);
  expect(responses.filter((response) => messageOf(response).result.isError)).toHaveLength(6);
  expect(messageOf(await post(wait, address)).result.isError).toBeUndefined();
});
