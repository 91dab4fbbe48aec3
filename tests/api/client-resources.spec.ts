import { clientMethod } from "@/lib/docs/client-method";
import { ApiError, createClient } from "@/packages/client/src/index";
import { VERSION } from "@/packages/client/src/operations";
import { expect, test } from "../support/fixtures";
import { everyOperation } from "../support/operations";
import { startTarget } from "../support/target";

/** The functions of the client for each operation: `client.tasks.create({ name })`. */

test("Every operation that agents call has a function of its own, but for streams", ({
  baseUrl,
}) => {
  const client = createClient({ baseUrl });
  const without: string[] = [];
  const names = new Set<string>();
  for (const operation of everyOperation.filter(({ inPartOnly }) => !inPartOnly)) {
    const name = clientMethod(operation)?.name;
    if (name === undefined) {
      without.push(operation.id);
      continue;
    }
    const found = name.split(".").reduce((group: unknown, part) => Object(group)[part], client);
    expect.soft(typeof found, name).toBe("function");
    names.add(name);
  }
  expect(without).toEqual([
    "streamWebhookEvents",
    ...["captureGet", "capturePost", "capturePut", "capturePatch", "captureDelete"],
    ...["dispatchMessages", "dispatchMessagesByGet"],
    "streamChanges",
    ...["getProtectedResource", "getAuthorizationServer", "getAuthGuide", "revokeAgent"],
  ]);
  expect(names).toContain("webhooks.events.list");
  expect(names.size).toBe(
    everyOperation.filter(({ inPartOnly }) => !inPartOnly).length - without.length,
  );
});

test("Functions take the IDs of the path, the body or query, and options", async ({
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key });
  const task = await client.tasks.create({ name: "Write", labels: ["docs"] });
  expect((await client.tasks.list({ label: ["docs"] })).data.map(({ id }) => id)).toEqual([
    task.id,
  ]);
  const blocker = await client.tasks.upsert("first", { name: "Read" });
  expect((await client.tasks.upsert("first", { name: "Read on" })).id).toBe(blocker.id);
  await client.tasks.blockers.add(task.id, blocker.id);
  expect((await client.tasks.blockers.list(task.id)).data.map(({ id }) => id)).toEqual([
    blocker.id,
  ]);
  const lease = await client.tasks.lease.take(blocker.id, { holder: "me" });
  expect(
    await client.tasks.lease.release(blocker.id, { lease_id: lease.lease_id }),
  ).toBeUndefined();
  expect((await client.tasks.complete(blocker.id)).labels).toEqual(["done"]);
  expect(await client.tasks.delete(task.id)).toBeUndefined();
  await expect(client.tasks.get(task.id)).rejects.toMatchObject({ code: "resource_not_found" });

  const artifact = await client.artifacts.create(
    { name: "Report", content: "# Über" },
    { query: { share: true } },
  );
  expect(artifact.share_url).toContain("/a/");
  expect(new TextDecoder().decode(await client.artifacts.getRaw(artifact.id))).toBe("# Über");
  for (const { number } of (await client.artifacts.versions.list(artifact.id)).data) {
    const version = await client.artifacts.versions.getRaw(artifact.id, number);
    expect(version.byteLength).toBe(7);
  }
  const empty = await client.artifacts.create({ name: "Empty", content: "" });
  expect((await client.artifacts.getRaw(empty.id)).byteLength).toBe(0);
  const path = "/api/artifacts/{id}/raw" as const;
  const params = { path: { id: empty.id } };
  expect((await client.GET(path, { params, parseAs: "text" })).data).toBe("");
  expect((await client.GET(path, { params, parseAs: "blob" })).data.size).toBe(0);

  const inbox = await client.inboxes.create({ name: "Orders" });
  const receipt = await client.inboxes.events.ingest(inbox.id, '{"order":7}', {
    headers: { "Content-Type": "application/json" },
    query: { delay_seconds: 60 },
  });
  const event = await client.inboxes.events.get(inbox.id, receipt.id);
  expect(event).toMatchObject({ state: "delayed", body: '{"order":7}' });
});

test("A list is one page when it is awaited, and every item when it is iterated", async ({
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key });
  for (let index = 0; index < 5; index++) await client.tasks.create({ name: `Task ${index}` });
  const page = await client.tasks.list({ limit: 2 });
  expect(page.data.map(({ name }) => name)).toEqual(["Task 4", "Task 3"]);
  expect(page.has_more).toBe(true);
  const names: string[] = [];
  for await (const { name } of client.tasks.list({ limit: 2 })) names.push(name);
  expect(names).toEqual(["Task 4", "Task 3", "Task 2", "Task 1", "Task 0"]);
  const wrong = createClient({ baseUrl, apiKey: "svc_live_wrong" }).tasks.list();
  expect(await wrong.catch((error) => error.code)).toBe("invalid_api_key");
});

test("A returned resource stands for its ETag in the next write", async ({ baseUrl, key }) => {
  const client = createClient({ baseUrl, apiKey: key });
  const created = await client.tasks.create({ name: "Writ" });
  const { id } = created;
  await client.tasks.update(id, { name: "Write" }, { ifMatch: created });
  const read = await client.tasks.get(id);
  const renamed = await client.tasks.update(id, { name: "Rewrite" }, { ifMatch: read });
  const stale = client.tasks.update(id, { name: "Lost" }, { ifMatch: read });
  await expect(stale).rejects.toMatchObject({ status: 412, code: "precondition_failed" });
  await client.tasks.update(id, { priority: "high" }, { ifMatch: renamed });
  await expect(client.tasks.delete(id, { ifMatch: renamed })).rejects.toBeInstanceOf(ApiError);
  const path = "/api/tasks/{id}" as const;
  const { data, response } = await client.GET(path, { params: { path: { id } } });
  const etag = String(response.headers.get("etag"));
  expect(etag).toMatch(/^"/);
  const unchanged = client.tasks.get(id, { headers: { "If-None-Match": etag } });
  await expect(unchanged).rejects.toMatchObject({ status: 304, code: "not_modified" });
  await client.DELETE(path, { params: { path: { id } }, ifMatch: data });
  await expect(client.tasks.delete(id, { ifMatch: { id } })).rejects.toBeInstanceOf(TypeError);
});

test("An idempotency key repeats a call, and a claim token joins resources", async ({
  baseUrl,
  key,
}) => {
  const open = createClient({ baseUrl });
  const idempotencyKey = crypto.randomUUID();
  const task = await open.tasks.create({ name: "Write" }, { idempotencyKey });
  const again = await open.tasks.create({ name: "Write" }, { idempotencyKey });
  expect(again.id).toBe(task.id);
  const claimWith = task.claim_token ?? "";
  const inbox = await open.inboxes.create({ name: "Orders" }, { claimWith });
  const claimed = await createClient({ baseUrl, apiKey: key }).claims.claimAll({
    claim_token: claimWith,
  });
  expect(claimed.data.map(({ id }) => id).sort()).toEqual([task.id, inbox.id].sort());
});

test("The service sees the client's version, and before it the program's name", async ({
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key, userAgent: "reports/1.0" });
  const { id } = await client.webhooks.create({ name: "Hook" });
  await client.POST("/api/catch/{id}", { params: { path: { id } }, body: "hello" });
  const [event] = (await client.webhooks.events.list(id)).data;
  expect(event?.headers["user-agent"]).toBe(
    `reports/1.0 agent-infrastructure-client/${VERSION} node/${process.versions.node}`,
  );
});

test("An option that does not exist or cannot work is refused by its name", ({ baseUrl }) => {
  const wrong = [
    [{ baseURL: baseUrl }, '"baseURL" is not an option; there are baseUrl, apiKey'],
    [{ baseUrl, maxRetries: -1 }, "maxRetries must be a whole number from 0."],
    [{ baseUrl, maxRetries: 1.5 }, "maxRetries must be a whole number from 0."],
    [{ baseUrl, timeoutMs: 0 }, "timeoutMs must be more than 0."],
    [{ baseUrl, userAgent: "a\nb" }, "userAgent must be printable ASCII"],
  ] satisfies [object, string][];
  for (const [options, message] of wrong as [object, string][]) {
    expect.soft(() => createClient(options)).toThrow(TypeError);
    expect.soft(() => createClient(options)).toThrow(message);
  }
});

test("An option of one call that does not exist or cannot work is refused, and nothing is sent", async () => {
  const target = await startTarget((response) => void response.end("{}"));
  const client = createClient({ baseUrl: target.url });
  const wrong: [object, string][] = [
    [{ maxRetries: Number.NaN }, "maxRetries must be a whole number from 0."],
    [{ timeoutMs: -5 }, "timeoutMs must be more than 0."],
    [{ ifmatch: '"1"' }, '"ifmatch" is not an option; there are headers, '],
  ];
  const [id, body] = ["tsk_1", { name: "Lost" }];
  for (const [options, message] of wrong) {
    for (const call of [
      () => client.tasks.update(id, body, options),
      () => client.tasks.list({}, options),
      () => client.PATCH("/api/tasks/{id}", { params: { path: { id } }, body, ...options }),
    ]) {
      const error: unknown = await Promise.resolve(call()).catch((one) => one);
      expect.soft(error).toBeInstanceOf(TypeError);
      expect.soft(String(error)).toContain(message);
    }
  }
  expect(target.received).toEqual([]);
  await target.stop();
});
