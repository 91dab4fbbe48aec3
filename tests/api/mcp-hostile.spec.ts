import { expectError } from "../support/expectations";
import { expect } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import { messageOf, test, toolCall } from "../support/mcp";
import { head, openRaw } from "../support/raw-sockets";

test("Bad requests get the status that HTTP and JSON-RPC give them", async ({
  api,
  baseUrl,
  post,
}) => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
    const response = await api(method, "/mcp");
    expectError(response, 405, "method_not_allowed");
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
  }
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const wrong: [string, number, number][] = [
    ["{", 400, -32700],
    ["", 400, -32700],
    ['"\xff"', 400, -32700],
    [JSON.stringify([ping, ping]), 400, -32600],
    [JSON.stringify(Array(5000).fill(0)), 400, -32600],
    ["1", 400, -32600],
    ["null", 400, -32600],
    ["{}", 400, -32600],
  ];
  for (const [raw, status, code] of wrong) {
    const headers = { "content-type": "application/json" };
    const response = await post(undefined, { raw: Buffer.from(raw, "latin1"), headers });
    expect(response.status, raw.slice(0, 50)).toBe(status);
    expect(JSON.parse(response.text).error.code, raw.slice(0, 50)).toBe(code);
  }
  const text = await post(undefined, {
    raw: JSON.stringify(ping),
    headers: { "content-type": "text/plain" },
  });
  expect(text.status).toBe(415);
  const version = { "mcp-protocol-version": "1999-01-01" };
  expect((await post(ping, { headers: version })).status).toBe(400);
  expect((await post(ping, { headers: { accept: "text/html" } })).status).toBe(406);
  expect((await post(ping, { headers: { accept: "*/*" } })).status).toBe(200);
  expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  // The response may come, and the connection end, before a client has sent it all.
  const large = ["Content-Type: application/json", "Content-Length: 13100000"];
  const { received, socket } = openRaw(baseUrl, head("POST", "/mcp", ...large));
  await expect.poll(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"payload_too_large"/);
  socket.destroy();
  const long = "x".repeat(70_000);
  expectError(await post({ ...ping, params: { long } }), 413, "payload_too_large");
  // A call that waits would keep them in memory.
  const waiting = toolCall("wait", { id: "wh_0", method: long });
  expectError(await post(waiting), 413, "payload_too_large");
  const ending = toolCall("get", { id: "msg_0", wait: 25, part: long });
  expectError(await post(ending), 413, "payload_too_large");
  const changes = toolCall("list", { kind: "changes", after: long });
  expectError(await post(changes), 413, "payload_too_large");
  const listing = messageOf(await post(toolCall("list", { kind: "tasks", external_id: long })));
  expect(JSON.parse(listing.result.content[0].text).error.code).toBe("payload_too_large");
});

test("An event that an agent sends has every member of its body", async ({ api, post }) => {
  const inbox = await makeInbox(api);
  const body = '{"__proto__":{"a":1},"b":2}';
  const sent = await post(undefined, {
    raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_to_inbox","arguments":{"id":"${inbox.id}","body":${body}}}}`,
    headers: { "content-type": "application/json" },
  });
  const { id } = messageOf(sent).result.structuredContent;
  expect((await inbox.event(id)).body).toBe(body);
});

test("Special names in messages and arguments change nothing", async ({ post }) => {
  const raw = (args: string) =>
    post(undefined, {
      raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_task","arguments":${args}}}`,
      headers: { "content-type": "application/json" },
    });
  for (const args of [
    '{"name":"x","__proto__":{"labels":["polluted"]}}',
    '{"name":"x","constructor":{"prototype":{"labels":["polluted"]}}}',
  ]) {
    const { result } = messageOf(await raw(args));
    expect(JSON.stringify(result)).not.toContain('"labels":["polluted"]');
  }
  const later = messageOf(await raw('{"name":"x"}'));
  expect(later.result.structuredContent.labels).toEqual([]);
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    expect(messageOf(await post(toolCall(name, {}))).error.code).toBe(-32602);
  }
  // An object that cannot become a text is a wrong value like any other.
  const value = { toString: 0 };
  const calls: [name: string, args: object][] = [
    ["list", { kind: value }],
    ["get", { event_id: value }],
    ["create_task", { name: "x", due_at: value }],
  ];
  for (const [name, args] of calls) {
    const { result } = messageOf(await post(toolCall(name, args)));
    expect(JSON.parse(result.content[0].text).error.code, name).toBe("invalid_param");
  }
  const unnamed = { ...toolCall("", {}), params: { name: value } };
  expect(messageOf(await post(unnamed)).error.code).toBe(-32602);
});

test("A page of another host may not call a server on this machine", async ({ post }) => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  for (const origin of ["https://evil.example", "null", "http://10.0.0.1"]) {
    expectError(await post(ping, { headers: { origin } }), 403, "forbidden");
  }
  for (const origin of ["http://localhost:6274", "http://127.0.0.1"]) {
    expect((await post(ping, { headers: { origin } })).status).toBe(200);
  }
  expect((await post(ping, { headers: { host: "evil.example" } })).status).toBe(200);
});
