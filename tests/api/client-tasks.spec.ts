import { createClient } from "@/packages/client/src/index";
import { expect, test } from "../support/fixtures";
import { startFlakyProxy } from "../support/flaky-proxy";

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
  const proxy = await startFlakyProxy(baseUrl, (_, number) => (number < 3 ? "refuse" : "pass"));
  const client = createClient({ baseUrl: proxy.url, apiKey: key, maxRetries: 0 });
  const waiting = client.nextTask({ holder: "writer", wait: Number.POSITIVE_INFINITY });
  await expect.poll(() => proxy.received.length).toBeGreaterThan(3);
  const direct = createClient({ baseUrl, apiKey: key });
  const { data: task } = await direct.POST("/api/tasks", { body: { name: "Late" } });
  const held = await waiting;
  expect(held?.task.id).toBe(task.id);
  await held?.release();
  await proxy.stop();
});

test("A task that is leased while the wait is stopped is free at once", async ({
  baseUrl,
  key,
}) => {
  const proxy = await startFlakyProxy(baseUrl, (_, number) => (number === 0 ? "withhold" : "pass"));
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
  stop.abort(reason);
  expect(await waiting).toBe(reason);
  expect(await lease()).toBe("resource_not_found");
  await proxy.stop();
});

test("A held task is renewed in the background, and cannot be completed once another worker has it", async ({
  baseUrl,
  key,
  db,
}) => {
  const direct = createClient({ baseUrl, apiKey: key });
  await direct.POST("/api/tasks", { body: { name: "Long" } });
  // The responses seem to come late in the lease.
  const late = { date: new Date(Date.now() + 29_000).toUTCString() };
  const proxy = await startFlakyProxy(baseUrl, () => ({ passWith: late }));
  const held = await createClient({ baseUrl: proxy.url, apiKey: key }).nextTask({
    holder: "writer",
    leaseSeconds: 30,
  });
  if (!held) throw new Error("No task was leased.");
  const renewals = () => proxy.received.filter(({ path }) => path.endsWith("/lease")).length;
  await expect.poll(renewals).toBe(1);
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
