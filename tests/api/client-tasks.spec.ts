import { ConnectionError, createClient } from "@/packages/client/src/index";
import { expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type Fault, startFlakyProxy } from "../support/flaky-proxy";
import { pause } from "../support/servers";
import { startTarget } from "../support/target";
import { startTcpProxy } from "../support/tcp-proxy";

/** The client's leases of tasks. */

test("nextTask leases by labels and priority, and completing labels and frees the task", async ({
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key });
  for (const [name, priority, labels] of [
    ["Low", "low", ["docs"]],
    ["Critical", "critical", ["docs", "skip"]],
    ["High", "high", ["docs", "in-progress"]],
    ["Other", "critical", []],
  ] as const) {
    await client.POST("/api/tasks", { body: { name, priority, labels: [...labels] } });
  }
  const options = { holder: "writer", labels: ["docs"], notLabels: ["skip"] };
  const high = await client.nextTask(options);
  const low = await client.nextTask({ ...options, leaseSeconds: 30 });
  expect([high?.task.name, low?.task.name]).toEqual(["High", "Low"]);
  expect(high?.lease).toMatchObject({ holder: "writer", task_id: high?.task.id });
  expect(await client.nextTask(options)).toBeNull();
  const renewed = await high?.renew();
  expect(renewed?.lease_id).toBe(high?.lease.lease_id);
  expect((await high?.complete("Written."))?.labels).toEqual(["docs", "done"]);
  await low?.release();
  await low?.release();
  const path = { id: String(high?.task.id) };
  const { data: notes } = await client.GET("/api/tasks/{id}/notes", { params: { path } });
  expect(notes.data.map(({ body }) => body)).toEqual(["Written."]);
  expect((await client.nextTask(options))?.task.name).toBe("Low");
});

test("nextTask waits through breaks of the network until there is a task", async ({
  baseUrl,
  key,
}) => {
  const proxy = await startFlakyProxy(baseUrl, (_, number) =>
    number > 0 && number < 4 ? "refuse" : "pass",
  );
  const client = createClient({ baseUrl: proxy.url, apiKey: key, maxRetries: 0 });
  await client.me.get();
  const waiting = client.nextTask({ holder: "writer", wait: Number.POSITIVE_INFINITY });
  await expect.poll(() => proxy.received.length).toBeGreaterThan(4);
  const direct = createClient({ baseUrl, apiKey: key });
  const { data: task } = await direct.POST("/api/tasks", { body: { name: "Late" } });
  const held = await waiting;
  expect(held?.task.id).toBe(task.id);
  await held?.release();
  await proxy.stop();
});

test("nextTask gets the task that a lost response leased", async ({ baseUrl, key }) => {
  const { id } = await createClient({ baseUrl, apiKey: key }).tasks.create({ name: "Lost" });
  const proxy = await startFlakyProxy(baseUrl, (_, number) => (number === 0 ? "lose" : "pass"));
  const client = createClient({ baseUrl: proxy.url, apiKey: key, maxRetries: 0 });
  const held = await client.nextTask({ holder: "writer", wait: 5 });
  expect(held?.task.id).toBe(id);
  await held?.release();
  await proxy.stop();
});

test("nextTask waits no longer than it was told after a break of the network", async ({
  api,
  baseUrl,
  key,
}) => {
  const proxy = await startTcpProxy(baseUrl);
  const client = createClient({ baseUrl: proxy.url, apiKey: key });
  const started = performance.now();
  const waiting = client.nextTask({ holder: "writer", wait: 8 });
  await pause(6000);
  proxy.cut();
  proxy.mend();
  expect(await waiting).toBeNull();
  await expectWithin(api, 8000, performance.now() - started);
  await proxy.close();
});

test("A release that a proxy answers in the service's place fails, and can be repeated", async ({
  baseUrl,
  key,
}) => {
  const direct = createClient({ baseUrl, apiKey: key });
  const { id } = await direct.tasks.create({ name: "Held" });
  const page = { status: 404, body: "No such site" };
  let releases = 0;
  const proxy = await startFlakyProxy(baseUrl, ({ method }) =>
    method === "DELETE" && ++releases === 1 ? page : "pass",
  );
  const held = await createClient({ baseUrl: proxy.url, apiKey: key }).nextTask({ holder: "me" });
  await expect(held?.release()).rejects.toMatchObject({ code: "invalid_response" });
  expect((await direct.tasks.lease.get(id)).holder).toBe("me");
  await held?.release();
  await expect(direct.tasks.lease.get(id)).rejects.toMatchObject({ code: "resource_not_found" });
  await proxy.stop();
});

test("nextTask leases nothing once its signal has aborted", async () => {
  const target = await startTarget();
  const reason = new Error("Stop.");
  const next = createClient({ baseUrl: target.url, apiKey: null }).nextTask({
    holder: "writer",
    signal: AbortSignal.abort(reason),
  });
  await expect(next).rejects.toBe(reason);
  expect(target.received).toEqual([]);
  await target.stop();
});

test("A lease that had ended when a repeat learns of it is not worked on", async () => {
  const lease = { task_id: "tsk_1", lease_id: "lse_1", holder: "writer", expires_at: 1 };
  const target = await startTarget((response) => {
    response.setHeader("Idempotency-Replayed", "true");
    response.end(JSON.stringify({ task: { id: "tsk_1" }, lease }));
  });
  const client = createClient({ baseUrl: target.url, apiKey: null });
  expect(await client.nextTask({ holder: "writer" })).toBeNull();
  await target.stop();
});

test("nextTask throws when the service cannot be reached in time, and is null when it has no task", async ({
  baseUrl,
  key,
}) => {
  const proxy = await startFlakyProxy(baseUrl, (_, number) => (number === 0 ? "pass" : "refuse"));
  const client = createClient({ baseUrl: proxy.url, apiKey: key, maxRetries: 0 });
  expect(await client.nextTask({ holder: "writer" })).toBeNull();
  await expect(client.nextTask({ holder: "writer", wait: 1 })).rejects.toThrow(ConnectionError);
  await proxy.stop();
});

test("nextTask waits no longer than it was told when the service takes no more requests", async () => {
  const target = await startTarget((response) => {
    response.writeHead(429, { "retry-after": "30" }).end();
  });
  const client = createClient({ baseUrl: target.url, apiKey: null });
  const started = performance.now();
  await expect(client.nextTask({ holder: "writer", wait: 1 })).rejects.toMatchObject({
    status: 429,
  });
  expect(performance.now() - started).toBeLessThan(15_000);
  await target.stop();
});

for (const [when, faults] of Object.entries<Fault[]>({
  "while the wait is stopped": ["withhold"],
  "before a pause in which the wait is stopped": [
    "lose",
    { status: 503, headers: { "retry-after": "30" } },
  ],
})) {
  test(`A task that is leased ${when} is free at once`, async ({ baseUrl, key }) => {
    const proxy = await startFlakyProxy(baseUrl, (_, number) => faults[number] ?? "pass");
    const stop = new AbortController();
    const reason = new Error("Stop.");
    const waiting = createClient({ baseUrl: proxy.url, apiKey: key })
      .nextTask({ holder: "writer", wait: 60, signal: stop.signal })
      .catch((error) => error);
    const direct = createClient({ baseUrl, apiKey: key });
    const { data: task } = await direct.POST("/api/tasks", { body: { name: "Nobody's" } });
    const lease = () =>
      direct.GET("/api/tasks/{id}/lease", { params: { path: { id: task.id } } }).then(
        ({ data }) => data.holder,
        (error) => error.code,
      );
    await expect.poll(lease).toBe("writer");
    await expect.poll(() => proxy.received.length).toBe(faults.length);
    await pause(300);
    stop.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await lease()).toBe("resource_not_found");
    await proxy.stop();
  });
}

test("A held task is renewed in the background, and cannot be completed once another worker has it", async ({
  baseUrl,
  key,
  db,
}) => {
  const direct = createClient({ baseUrl, apiKey: key });
  await direct.POST("/api/tasks", { body: { name: "Long" } });
  // The responses seem to come late in the lease.
  const late = { date: new Date(Date.now() + 24_000).toUTCString() };
  const proxy = await startFlakyProxy(baseUrl, () => ({ passWith: late }));
  const held = await createClient({ baseUrl: proxy.url, apiKey: key }).nextTask({
    holder: "writer",
    leaseSeconds: 30,
  });
  if (!held) throw new Error("No task was leased.");
  const renewals = () => proxy.received.filter(({ path }) => path.endsWith("/lease")).length;
  await expect.poll(renewals).toBeGreaterThan(0);
  expect(held.signal.aborted).toBe(false);
  // Again if the renewal ends only now.
  await expect
    .poll(async () => {
      await db.query("UPDATE tasks SET lease_expires_at = 0 WHERE id = $1", [held.task.id]);
      return (await direct.nextTask({ holder: "thief" }))?.lease.holder;
    })
    .toBe("thief");
  await expect(held.complete()).rejects.toMatchObject({ code: "lease_lost" });
  await held.release();
  const { data: lease } = await direct.GET("/api/tasks/{id}/lease", {
    params: { path: { id: held.task.id } },
  });
  expect(lease.holder).toBe("thief");
  await proxy.stop();
});

test("A lease that seems to have ended when it arrives is renewed at once", async ({
  baseUrl,
  key,
}) => {
  await createClient({ baseUrl, apiKey: key }).POST("/api/tasks", { body: { name: "Slow" } });
  const past = { date: new Date(Date.now() + 60_000).toUTCString() };
  const proxy = await startFlakyProxy(baseUrl, () => ({ passWith: past }));
  const client = createClient({ baseUrl: proxy.url, apiKey: key });
  const held = await client.nextTask({ holder: "writer", leaseSeconds: 30 });
  // A new lease would be renewed after ten seconds.
  await expect
    .poll(() => proxy.received.filter(({ path }) => path.endsWith("/lease")), { timeout: 8000 })
    .toHaveLength(1);
  expect(held?.signal.aborted).toBe(false);
  await held?.release();
  await proxy.stop();
});

test("A task whose completion is slow to be confirmed is not reported as lost", async ({
  baseUrl,
  key,
}) => {
  await createClient({ baseUrl, apiKey: key }).POST("/api/tasks", { body: { name: "Short" } });
  // Each lease seems to end soon, so the next extension comes while the completion is confirmed.
  const late = { date: new Date(Date.now() + 24_000).toUTCString() };
  let completions = 0;
  const proxy = await startFlakyProxy(baseUrl, ({ path }) => {
    const isFirst = path.endsWith("/complete") && ++completions === 1;
    return isFirst ? "withhold" : { passWith: late };
  });
  const client = createClient({ baseUrl: proxy.url, apiKey: key, timeoutMs: 3000 });
  const held = await client.nextTask({ holder: "writer", leaseSeconds: 30 });
  expect((await held?.complete())?.labels).toContain("done");
  const extensions = proxy.received.filter(({ path }) => path.endsWith("/lease"));
  expect(extensions).not.toEqual([]);
  expect(held?.signal.aborted).toBe(false);
  await proxy.stop();
});

test("nextTask asks again when the service said, and not before", async ({ baseUrl, key }) => {
  await createClient({ baseUrl, apiKey: key }).POST("/api/tasks", { body: { name: "Later" } });
  const headers = { "retry-after": "3" };
  const proxy = await startFlakyProxy(baseUrl, (_, number) =>
    number === 0 ? { status: 429, headers } : "pass",
  );
  const client = createClient({ baseUrl: proxy.url, apiKey: key, maxRetries: 0 });
  const started = performance.now();
  const held = await client.nextTask({ holder: "writer", wait: 60 });
  expect(performance.now() - started).toBeGreaterThan(2900);
  await held?.release();
  await proxy.stop();
});
