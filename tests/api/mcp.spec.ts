import { randomUUID } from "node:crypto";
import { tools } from "@/lib/api/mcp/tools";
import { makeKey } from "../support/accounts";
import { expectError } from "../support/expectations";
import { expect } from "../support/fixtures";
import { callTool, failTool, REVISIONS, test, toolCall } from "../support/mcp";

const CHALLENGE = (baseUrl: string) =>
  `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;

for (const revision of REVISIONS) {
  test(`A key's organization owns what its tools create (${revision})`, async ({
    api,
    connect,
    key,
    organization,
  }) => {
    const client = await connect({ key, revision });
    expect(client.getInstructions()).toContain(organization.id);
    const task = await callTool(client, "create_task", { name: "Owned", labels: ["a"] });
    expect(task.organization_id).toBe(organization.id);
    expect(task.claim_token).toBeUndefined();
    const { body } = await api("GET", `/api/tasks/${task.id}`, { key });
    expect(body).toEqual(task);
    const listed = await callTool(client, "list", { what: "tasks", label: ["a"] });
    expect(listed.data).toEqual([task]);
    const next = await callTool(client, "next_task", { holder: "me" });
    expect(next.task).toEqual(task);
  });

  test(`An unknown tool is a protocol error, wrong arguments a tool error (${revision})`, async ({
    connect,
  }) => {
    const client = await connect({ revision });
    const unknown = client.callTool({ name: "format_disk", arguments: {} });
    await expect(unknown).rejects.toMatchObject({ code: -32602 });
    expect(await failTool(client, "create_task", { title: "x" })).toMatchObject({
      type: "invalid_request_error",
      code: "unknown_param",
      param: "title",
      request_id: expect.stringMatching(/^req_/),
    });
    const wrong: [tool: string, args: Record<string, unknown>, param: string][] = [
      ["list", { what: "tasks", label: { a: 1 } }, "label"],
      ["list", { what: "tasks", limit: "many" }, "limit"],
      ["list", { what: "keys" }, "what"],
      ["list", { what: "schedules", label: "a" }, "label"],
      ["receive_work", { inbox_id: "x", limit: "9" }, "limit"],
      ["send_to_inbox", { inbox_id: "x", body: 12 }, "body"],
      ["get", { id: 7 }, "id"],
      ["get", { id: "usr_7" }, "id"],
      ["set_up_webhook", { endpoint_id: "x", action: "constructor" }, "action"],
      ["wait_for_reply", { reply_url: "https://evil.example/" }, "reply_url"],
      ["finish_work", { inbox_id: "x", reply_to: "iev_x", lease_id: "x", acks: ["x"] }, "acks"],
      ["get", { id: "tsk_\0" }, "id"],
      ["get", { id: "art_x", offset: -1 }, "offset"],
      ["complete_task", { task_id: "x", add: ["other"] }, "add"],
      ["complete_task", { task_id: "x", action: "skip" }, "action"],
      ["create_schedule", { on: "sometimes", cron: "@daily" }, "on"],
    ];
    for (const [tool, args, param] of wrong) {
      expect(await failTool(client, tool, args)).toMatchObject({
        type: "invalid_request_error",
        message: expect.stringContaining(`"${param}" `),
        param,
      });
    }
    // The instructions and the refusal lead to the same call.
    expect(client.getInstructions()).toContain("finish_work with `acks`: `[{event_id, lease_id}]`");
    expect(await failTool(client, "finish_work", { inbox_id: "x", event_id: "x" })).toMatchObject({
      code: "unknown_param",
      message:
        '"event_id" is not an argument of finish_work; allowed: inbox_id, acks, nacks and reply_to.',
    });
    expect(await failTool(client, "publish_artifact", { title: "x" })).toMatchObject({
      message: expect.stringMatching(/allowed: .*idempotency_key.*share.*name/),
    });
    expect(await failTool(client, "get", {})).toMatchObject({
      code: "missing_required_param",
      param: "id",
    });
    expect(await failTool(client, "get", { id: "tsk_nothing" })).toMatchObject({
      code: "resource_not_found",
      message: 'No task has the ID "tsk_nothing".',
    });
  });

  test(`A tool that needs a credential answers 401 with the discovery header (${revision})`, async ({
    baseUrl,
    connect,
    post,
  }) => {
    const client = await connect({ revision });
    const refused = client.callTool({ name: "next_task", arguments: { holder: "me" } });
    await expect(refused).rejects.toThrow(/401|Unauthorized/i);
    for (const [name, args] of [
      ["next_task", {}],
      ["claim", {}],
      ["list", { what: "changes" }],
      ["list", { what: "subscriptions" }],
      ["create_schedule", { on: "changes", url: "https://example.com/" }],
      ["cancel", { id: "sub_0" }],
    ] as const) {
      const response = await post(toolCall(name, args));
      expectError(response, 401, "unauthorized");
      expect(response.headers.get("www-authenticate")).toContain(CHALLENGE(baseUrl));
    }
    expect((await post(toolCall("list", { what: "tasks" }))).status).toBe(200);
  });
}

test("A rejected credential is 401 for every message", async ({
  baseUrl,
  post,
  db,
  organization,
}) => {
  const revoked = await makeKey(db, organization.id, { revoked: true });
  const messages = [
    toolCall("create_task", { name: "x" }),
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: 1, method: "ping" },
  ];
  for (const key of ["svc_live_wrong", "eyJhbGciOiJub25lIn0.e30.", revoked]) {
    for (const message of messages) {
      const response = await post(message, { key });
      expectError(response, 401, "invalid_api_key");
      const challenge = response.headers.get("www-authenticate");
      expect(challenge).toContain(CHALLENGE(baseUrl));
      expect(challenge).toContain('error="invalid_token"');
    }
  }
});

test("A key without the scope of a tool gets 403 and the scope to ask for", async ({
  db,
  organization,
  post,
}) => {
  const key = await makeKey(db, organization.id, { scopes: ["api.read"] });
  const response = await post(toolCall("create_task", { name: "x" }), { key });
  expectError(response, 403, "insufficient_scope");
  expect(response.headers.get("www-authenticate")).toContain('scope="api.write"');
  expect((await post(toolCall("list", { what: "tasks" }), { key })).status).toBe(200);
});

test("The example of every tool is accepted", async ({ connect, key }) => {
  const client = await connect({ key });
  for (const { name, example } of tools) {
    const { content, isError } = await client.callTool({ name, arguments: example });
    const text = content[0]?.type === "text" ? content[0].text : "";
    // The IDs in examples belong to nothing.
    if (isError)
      expect(JSON.parse(text).error.code, name).toMatch(
        /^(resource_not_found|invalid_claim_token)$/,
      );
  }
});

test("Every tool has its schemas, annotations, a line of purpose and an example", async ({
  connect,
}) => {
  const { tools: listed } = await (await connect()).listTools();
  expect(listed.length).toBeLessThanOrEqual(20);
  for (const { name, description, inputSchema, outputSchema, annotations } of listed) {
    expect(description, name).toMatch(/^[^\n]+\nExample: \{[^\n]+\}$/);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: "object" });
    expect(
      Object.values(annotations ?? {}).map((hint) => typeof hint),
      name,
    ).toEqual(Array(4).fill("boolean"));
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain("$ref");
  }
});

test("An idempotency key repeats a create, in a tool as over HTTP", async ({
  api,
  connect,
  key,
}) => {
  const client = await connect({ key });
  const args = { name: "Once", idempotency_key: randomUUID() };
  const first = await callTool(client, "create_task", args);
  expect(await callTool(client, "create_task", args)).toEqual(first);
  expect(await failTool(client, "create_task", { ...args, name: "Other" })).toMatchObject({
    code: "idempotency_key_reused",
  });
  const headers = { "idempotency-key": args.idempotency_key };
  const { body } = await api("POST", "/api/tasks", { key, headers, body: { name: "Once" } });
  expect(body.id).toBe(first.id);
});

test("Artifacts are resources: listed with a key, read by anyone who may", async ({
  connect,
  key,
}) => {
  const client = await connect({ key });
  const report = { name: "Report", content: "# Report ✓" };
  const { id } = await callTool(client, "publish_artifact", report);
  const uri = `artifact://${id}`;
  const { resources } = await client.listResources();
  expect(resources).toEqual([{ uri, name: "Report", mimeType: "text/markdown", size: 12 }]);
  const { contents } = await client.readResource({ uri });
  expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: "# Report ✓" }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toMatchObject([{ uriTemplate: "artifact://{artifact_id}" }]);

  const stranger = await connect();
  expect((await stranger.listResources()).resources).toEqual([]);
  await expect(stranger.readResource({ uri })).rejects.toThrow(/another organization|key/);
  await expect(stranger.readResource({ uri: "artifact://art_0" })).rejects.toThrow(/not found/i);
  await expect(stranger.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/not found/i);
});
