import type { Client } from "@modelcontextprotocol/client";
import { expectError } from "../support/expectations";
import { expect } from "../support/fixtures";
import type { CallOptions } from "../support/http";
import { callTool, failTool, messageOf, type Structured, test, toolCall } from "../support/mcp";
import { capture, makeEndpoint } from "../support/webhooks";

const LIST_BYTES_MAX = 24_000;
const TOOL_BYTES_MAX = 1600;

test("The list has at most 20 tools and 24 kB, and each tool is small and complete", async ({
  connect,
}) => {
  const { tools } = await (await connect()).listTools();
  expect(tools.length).toBeLessThanOrEqual(20);
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(LIST_BYTES_MAX);
  for (const tool of tools) {
    const { name, title, description, inputSchema, annotations } = tool;
    expect.soft(Buffer.byteLength(JSON.stringify(tool)), name).toBeLessThanOrEqual(TOOL_BYTES_MAX);
    expect(title).toBeTruthy();
    expect(description, name).toMatch(/^[^\n]+(\nExample: \{[^\n]+\})+$/);
    expect(inputSchema).toMatchObject({ type: "object" });
    expect(JSON.stringify(inputSchema)).not.toContain("$ref");
    const { readOnlyHint, destructiveHint } = annotations ?? {};
    expect(readOnlyHint ? destructiveHint : typeof destructiveHint, name).toBe(
      readOnlyHint ? undefined : "boolean",
    );
  }
});

/** Each is `tool {arguments}`, in the order in which a model would send them. */
function callsIn(text: string): [tool: string, args: string][] {
  return [...text.matchAll(/(\w+) (\{.*?\})(?=[,.] |[,.]?$)/gm)].map(([, tool = "", args = ""]) => [
    tool,
    args,
  ]);
}

test("The calls of the instructions and the examples of the tools succeed one after the other", async ({
  api,
  connect,
  key,
}) => {
  const client = await connect({ key });
  const stranger = await connect();
  const hook = await callTool(stranger, "create_webhook", { name: "Before" });
  const known = new Known();
  known.learn(hook);
  const run = async (name: string, shown: string) => {
    const args = known.fill(shown);
    if (name === "wait") await capture(api, args.id, { raw: "here" });
    known.learn(await callTool(client, name, args));
  };
  const instructed = callsIn(client.getInstructions() ?? "");
  expect(instructed.length).toBeGreaterThan(10);
  for (const [name, args] of instructed) await run(name, args);

  const { tools } = await client.listTools();
  const shown = tools.flatMap(({ name, description = "" }) =>
    description
      .split("\nExample: ")
      .slice(1)
      .map((example): [string, string] => [name, example]),
  );
  // What reads, works and ends comes after what creates.
  const late = ["receive_work", "finish_work", "get", "list", "wait", "delete"];
  const rank = ([name]: [string, string]) => late.indexOf(name);
  for (const [name, args] of shown.sort((a, b) => rank(a) - rank(b))) {
    if (name === "receive_work" || name === "finish_work") {
      const id = known.fill('"inbox_…"');
      await callTool(client, "send_to_inbox", { id, body: { order: 7 } });
      if (name === "finish_work") {
        known.learn(await callTool(client, "receive_work", { id, limit: 5 }));
      }
    }
    await run(name, args);
  }
});

/** The newest ID of each prefix, and the newest claim token. */
class Known {
  readonly #values = new Map<string, string>();

  learn(result: Structured) {
    const text = JSON.stringify(result);
    const [first] = Array.isArray(result.data) ? result.data : [];
    const own = JSON.stringify([first?.id, first?.lease_id, result.id, result.lease_id]);
    for (const [, id = "", prefix = ""] of `${text}${own}`.matchAll(/"(([a-z]+_)\w{20,})"/g)) {
      this.#values.set(prefix, id);
    }
    if (result.claim_token) this.#values.set("{claim_token}", String(result.claim_token));
  }

  fill(shown: string) {
    const filled = shown
      .replace(/([a-z]+_)…/g, (_, prefix) => this.#values.get(prefix) ?? "none")
      .replace("{claim_token}", (token) => this.#values.get(token) ?? "none");
    return JSON.parse(filled);
  }
}

test("The URL chooses tools: those that read, and those of some parts", async ({
  baseUrl,
  connect,
  post,
  api,
  key,
}) => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const at = async (query: string, message: object = list) =>
    messageOf(await post(message, { query: Object.fromEntries(new URLSearchParams(query)) }));
  const namesAt = async (query: string) => {
    const { result } = await at(query);
    return result.tools.map(({ name }: { name: string }) => name);
  };
  expect(await namesAt("read_only=true")).toEqual(["get", "list", "wait"]);
  expect(await namesAt("tools=claims")).toEqual(["claim"]);
  const some = await namesAt("tools=tasks,inboxes");
  expect(some).toContain("create_task");
  expect(some).toContain("create_inbox");
  expect(some).not.toContain("create_webhook");
  expect(await namesAt("tools=tasks&read_only=true")).toEqual(["get", "list"]);

  const refused = await at("read_only=true", toolCall("create_task", { name: "x" }));
  expect(refused.error.code).toBe(-32602);
  const subscribe = {
    jsonrpc: "2.0",
    id: 1,
    method: "events/subscribe",
    params: { name: "change" },
  };
  const unsubscribed = await messageOf(
    await post(subscribe, { query: { read_only: "true" }, key }),
  );
  expect(unsubscribed.error).toMatchObject({
    code: -32024,
    message: expect.stringMatching(/read_only/),
  });
  const elsewhere = await at("tools=inboxes", toolCall("list", { kind: "tasks" }));
  expect(elsewhere.result.isError).toBe(true);
  const { result } = await at("tools=inboxes", { jsonrpc: "2.0", id: 1, ...initialize });
  expect(result.instructions).toContain("send_to_inbox");
  expect(result.instructions).not.toContain("publish_artifact");

  for (const [query, param] of [
    [{ tools: "tasks,keys" }, "tools"],
    [{ read_only: "yes" }, "read_only"],
  ] as const) {
    const response = await post(list, { query });
    expectError(response, 400, "invalid_param", param);
  }
  const query = { tools: "claims", sign_in: "true" };
  // Clients ask by GET, too, where they can sign in.
  for (const signedOut of [
    await post(list, { query }),
    await api("GET", "/mcp?tools=claims&sign_in=true"),
  ]) {
    expectError(signedOut, 401, "unauthorized");
    expect(signedOut.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp?tools=claims&sign_in=true", scope="api.read api.write"`,
    );
  }
  const unquotable = await api("GET", "/mcp?sign_in=true&x=\\");
  expect(unquotable.headers.get("www-authenticate")).toContain('/oauth-protected-resource/mcp", ');
  const misplaced = await api("GET", "/mcp?sign_in=true", { headers: { "x-api-key": "x" } });
  expectError(misplaced, 401, "invalid_api_key");
  const wrong = await post(list, { query, key: "svc_live_wrong" });
  expectError(wrong, 401, "invalid_api_key");
  expect(wrong.headers.get("www-authenticate")).toContain("/mcp?tools=claims&sign_in=true");
  await connect();
  expect((await api("GET", "/mcp")).status).toBe(405);
  expect((await api("GET", "/mcp?sign_in=true", { key })).status).toBe(405);
});

test("Tools say whether they can be called without a sign-in, and for which scope", async ({
  post,
  key,
}) => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const schemesAt = async (options: CallOptions) => {
    const { result } = await messageOf(await post(list, options));
    const tools: { name: string; securitySchemes: object[] }[] = result.tools;
    return new Map(tools.map(({ name, securitySchemes }) => [name, securitySchemes]));
  };
  const noauth = { type: "noauth" };
  const reading = { type: "oauth2", scopes: ["api.read"] };
  const writing = { type: "oauth2", scopes: ["api.write"] };
  const open = await schemesAt({});
  expect(open.get("get")).toEqual([noauth, reading]);
  expect(open.get("list")).toEqual([noauth, reading]);
  expect(open.get("create_task")).toEqual([noauth, writing]);
  expect(open.get("send_to_inbox")).toEqual([noauth]);
  expect(open.get("subscribe")).toEqual([writing]);
  expect(open.get("claim")).toEqual([reading]);
  const signedIn = await schemesAt({ query: { sign_in: "true" }, key });
  expect(signedIn.get("get")).toEqual([reading]);
  expect(signedIn.get("create_task")).toEqual([writing]);
});

const initialize = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

test("Times are understood as RFC 3339", async ({ connect }) => {
  const client = await connect();
  for (const [due_at, seconds] of [
    ["2027-01-01", 1_798_761_600],
    ["2027-01-01T09:00:00Z", 1_798_794_000],
    ["2027-01-01T10:00+01:00", 1_798_794_000],
    [1_798_794_000, 1_798_794_000],
  ]) {
    const task = await callTool(client, "create_task", { name: "Due", due_at });
    expect(task.due_at, String(due_at)).toBe(seconds);
  }
  const url = "https://example.com/";
  const message = { url, scheduled_at: "2027-01-01T09:00:00Z" };
  expect(await callTool(client, "schedule_message", message)).toMatchObject({
    scheduled_at: 1_798_794_000,
  });
  for (const due_at of ["2027-02-30", "2027-01-01T09:00", "tomorrow"]) {
    expect(await failTool(client, "create_task", { name: "Due", due_at })).toMatchObject({
      code: "invalid_param",
      message: expect.stringContaining("RFC 3339 with a time zone, such as 2027-01-01T09:00:00Z"),
      param: "due_at",
    });
  }
});

test("What was made can be found, read and deleted with its ID alone", async ({ connect, key }) => {
  const client = await connect({ key });
  const made: [kind: string, Structured][] = [
    ["tasks", await callTool(client, "create_task", { name: "One" })],
    ["artifacts", await callTool(client, "publish_artifact", { name: "One", content: "1" })],
    ["webhooks", await callTool(client, "create_webhook", { name: "One" })],
    ["inboxes", await callTool(client, "create_inbox", { name: "One" })],
    ["messages", await laterMessage(client)],
    ["schedules", await callTool(client, "create_schedule", daily)],
    ["questions", await callTool(client, "ask_person", { prompt: "Deploy?", kind: "approve" })],
    ["subscriptions", await callTool(client, "subscribe", { url: "https://example.com/" })],
  ];
  for (const [kind, { id }] of made) {
    const { data } = await callTool(client, "list", { kind });
    expect(data, kind).toContainEqual(expect.objectContaining({ id }));
    expect(await callTool(client, "get", { id }), kind).toMatchObject({ id });
    if (kind === "messages") await callTool(client, "update", { id, stop: "sending" });
    expect(await callTool(client, "delete", { id }), kind).toEqual({});
    expect(await failTool(client, "get", { id })).toMatchObject({ code: "resource_not_found" });
  }
  expect(await callTool(client, "get", { id: "me" })).toMatchObject({ object: "me" });
});

const daily = { every_seconds: 86_400, target: { task: { name: "Daily" } } };

function laterMessage(client: Client) {
  const args = { url: "https://example.com/", delay_seconds: 3600 };
  return callTool(client, "schedule_message", args);
}

test("A task is leased, renewed, returned and commented", async ({ connect, key }) => {
  const client = await connect({ key });
  const { id } = await callTool(client, "create_task", { name: "One" });
  const { lease_id } = await callTool(client, "receive_work", { id, holder: "me" });
  const renewed = { id, holder: "me", lease_id, lease_seconds: 600 };
  expect(await callTool(client, "receive_work", renewed)).toMatchObject({ lease_id });
  expect(await failTool(client, "receive_work", { id, holder: "you" })).toMatchObject({
    code: "lease_held",
  });
  expect(await callTool(client, "get", { id, part: "lease" })).toMatchObject({ holder: "me" });
  expect(await callTool(client, "finish_work", { id, lease_id })).toEqual({});
  await callTool(client, "update", { id, note: "Half done" });
  const { data } = await callTool(client, "list", { kind: "notes", id });
  expect(data).toMatchObject([{ body: "Half done" }]);
});

test("A document's versions are read, and its links expire and end", async ({ connect, key }) => {
  const client = await connect({ key });
  const args = { name: "Report", content: "# One" };
  const { id } = await callTool(client, "publish_artifact", args);
  await callTool(client, "update", { id, content: "# Two" });
  const versions = await callTool(client, "list", { kind: "versions", id });
  expect(versions.data).toHaveLength(2);
  expect(await callTool(client, "get", { id, version: 1 })).toMatchObject({ body: "# One" });
  const link = await callTool(client, "publish_artifact", { id, expires_in: 3600 });
  expect(link.url).toContain("/a/");
  const shares = async () => (await callTool(client, "list", { kind: "shares", id })).data;
  expect(await shares()).toHaveLength(2);
  expect(await callTool(client, "delete", { id: link.id, parent_id: id })).toEqual({});
  expect(await shares()).toHaveLength(1);
});

test("A message is sent again, a request replayed, and a dead event redriven", async ({
  api,
  connect,
  key,
}) => {
  const client = await connect({ key });
  const message = await laterMessage(client);
  await callTool(client, "update", { id: message.id, scheduled_at: "2031-01-01" });
  await callTool(client, "update", { id: message.id, stop: "sending" });
  expect(await callTool(client, "run_now", { id: message.id })).toMatchObject({
    status: "scheduled",
  });
  // It is due, so another test's dispatch may have tried it.
  const attempts = await callTool(client, "list", { kind: "attempts", id: message.id });
  for (const attempt of attempts.data as object[]) {
    expect(attempt).toMatchObject({ message_id: message.id });
  }

  const endpoint = await makeEndpoint(api, { key });
  const event = await capture(api, endpoint.id, { raw: "again" });
  const listed = await callTool(client, "list", { kind: "events", id: endpoint.id });
  expect(listed).toMatchObject({ warning: expect.any(String), data: [{ id: event }] });
  const ofEvent = { id: event, parent_id: endpoint.id };
  const replay = { ...ofEvent, url: "https://example.com/" };
  expect(await callTool(client, "run_now", replay)).toMatchObject({ object: "scheduled_message" });
  expect((await callTool(client, "list", { kind: "replays", ...ofEvent })).data).toHaveLength(1);

  const { id } = await callTool(client, "create_inbox", { name: "Orders" });
  await callTool(client, "send_to_inbox", { id, body: "broken" });
  const received = await callTool(client, "receive_work", { id });
  const [{ id: event_id, lease_id }] = Array.isArray(received.data) ? received.data : [];
  const longer = { id, event_id, lease_id, lease_seconds: 600 };
  expect(await callTool(client, "receive_work", longer)).toMatchObject({ id: event_id });
  const nacks = [{ event_id, lease_id, dead: true, error: "Cannot be parsed" }];
  await callTool(client, "finish_work", { id, nacks });
  const dead = await callTool(client, "list", { kind: "events", id, state: "dead" });
  expect(dead.data).toMatchObject([{ id: event_id }]);
  expect(await callTool(client, "get", { id, part: "stats" })).toMatchObject({ dead: 1 });
  expect(await callTool(client, "run_now", { id })).toMatchObject({ redriven: 1 });
});
