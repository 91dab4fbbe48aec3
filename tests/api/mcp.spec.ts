import { randomUUID } from "node:crypto";
import { makeAccessToken, makeKey } from "../support/accounts";
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
    const listed = await callTool(client, "list", { kind: "tasks", label: ["a"] });
    expect(listed.data).toEqual([task]);
    const next = await callTool(client, "receive_work", { holder: "me" });
    expect(next.task).toEqual(task);
  });

  test(`An unknown tool is a protocol error, wrong arguments a tool error (${revision})`, async ({
    connect,
  }) => {
    const client = await connect({ revision });
    const unknown = client.callTool({ name: "format_disk", arguments: {} });
    await expect(unknown).rejects.toMatchObject({ code: -32602 });
    expect(await failTool(client, "create_task", { subject: "x" })).toMatchObject({
      type: "invalid_request_error",
      code: "unknown_param",
      param: "subject",
      request_id: expect.stringMatching(/^req_/),
    });
    const wrong: [tool: string, args: Record<string, unknown>, param: string][] = [
      ["list", { kind: "tasks", label: { a: 1 } }, "label"],
      ["list", { kind: "tasks", limit: "many" }, "limit"],
      ["list", { kind: "keys" }, "kind"],
      ["list", { kind: "events", id: "tsk_x" }, "id"],
      ["list", { kind: "schedules", label: "a" }, "label"],
      ["receive_work", { id: "inbox_x", limit: "9" }, "limit"],
      ["receive_work", { id: "art_x" }, "id"],
      ["send_to_inbox", { id: "inbox_x", body: 12 }, "body"],
      ["get", { id: 7 }, "id"],
      ["get", { id: "usr_7" }, "id"],
      ["set_up_webhook", { id: "wh_x", stop: "constructor" }, "stop"],
      ["wait", { reply_url: "https://evil.example/" }, "reply_url"],
      ["finish_work", { id: "inbox_x", event_id: "x", lease_id: "x", acks: ["x"] }, "acks"],
      ["get", { id: "tsk_\0" }, "id"],
      ["get", { id: "art_x", offset: -1 }, "offset"],
      ["complete_task", { id: "tsk_x", add: ["other"] }, "add"],
      ["update", { id: "msg_x", stop: "asking" }, "stop"],
      ["update", { id: "tsk_x", note: "Seen", name: "New" }, "name"],
      ["create_task", { name: "x", due_at: "2027-02-30" }, "due_at"],
      ["create_task", { name: "x", due_at: "tomorrow" }, "due_at"],
    ];
    for (const [tool, args, param] of wrong) {
      expect(await failTool(client, tool, args)).toMatchObject({
        type: "invalid_request_error",
        message: expect.stringContaining(`"${param}" `),
        param,
      });
    }
    expect(await failTool(client, "publish_artifact", { subject: "x" })).toMatchObject({
      message: expect.stringMatching(/allowed: .*idempotency_key.*share.*name/),
    });
    expect(await failTool(client, "list", { kind: "events" })).toMatchObject({
      code: "missing_required_param",
      message: '"id" is required; it begins with wh_ or inbox_.',
    });
    expect(await failTool(client, "set_up_webhook", { id: "wh_x" })).toMatchObject({
      message: 'One of "scheme", "inbox_id", "url" and "stop" is required.',
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

  test(`Without a key, a tool that needs one says how to get it (${revision})`, async ({
    baseUrl,
    connect,
  }) => {
    const client = await connect({ revision });
    for (const [name, args] of [
      ["receive_work", {}],
      ["claim", {}],
      ["wait", {}],
      ["list", { kind: "changes" }],
      ["subscribe", { url: "https://example.com/" }],
      ["delete", { id: "sub_0" }],
    ] as const) {
      const { isError, content, _meta } = await client.callTool({ name, arguments: args });
      expect(isError, name).toBe(true);
      const text = content[0]?.type === "text" ? content[0].text : "";
      const { error } = JSON.parse(text);
      expect(error.code, name).toBe("unauthorized");
      expect(error.message).toContain(`${baseUrl}/mcp?sign_in=true`);
      expect(error.message).toContain(`${baseUrl}/auth.md`);
      const [challenge] = [_meta?.["mcp/www_authenticate"]].flat();
      // ChatGPT needs the reason and its description.
      expect(challenge).toMatch(
        /^[ -~]+, error="insufficient_scope", error_description="This call of [^"\\]+", scope="api.read api.write"$/,
      );
      expect(challenge).toContain(CHALLENGE(baseUrl));
    }
    await callTool(client, "list", { kind: "tasks" });
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

test("Without the scope of a tool, a token gets 403 and the scope to ask for, a key a result", async ({
  connect,
  db,
  organization,
  post,
}) => {
  const { id } = organization;
  const token = await makeAccessToken(db, id, "mcp", undefined, ["api.read"]);
  const response = await post(toolCall("create_task", { name: "x" }), { key: token });
  expectError(response, 403, "insufficient_scope");
  expect(response.headers.get("www-authenticate")).toContain('scope="api.write"');
  expect((await post(toolCall("list", { kind: "tasks" }), { key: token })).status).toBe(200);
  const client = await connect({ key: await makeKey(db, id, { scopes: ["api.read"] }) });
  const refused = await client.callTool({ name: "create_task", arguments: { name: "x" } });
  expect(JSON.stringify(refused.content)).toContain("insufficient_scope");
  expect(String(refused._meta?.["mcp/www_authenticate"])).toMatch(
    /, error="insufficient_scope", error_description="This key lacks [^"\\]+", scope="api.write"$/,
  );
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
