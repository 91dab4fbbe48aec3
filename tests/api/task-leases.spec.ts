import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import {
  databaseNow,
  elapseLeases,
  type LeaseClient,
  leaseClient,
  leaseOf,
} from "../support/leases";
import { whileLocked } from "../support/locks";
import { pause } from "../support/servers";

const HOLDERS = [
  `"><script>alert(1)</script>`,
  "'; DROP TABLE tasks; --",
  "\u202eevil\u202c",
  "two\r\nX-Injected: lines",
  "👩‍👩‍👧‍👦".repeat(20),
  "𝕏".repeat(200),
  "__proto__",
  " ",
  "%s %n {{7*7}} $(id)",
];

test("A lease reads back with its holder, expiry and fencing token", async ({ api, db, key }) => {
  const { task, tryTake, held } = leaseClient(api, key);
  const { id } = await task();
  const before = await databaseNow(db);
  const lease = leaseOf(await tryTake(id, { holder: "planner-3", lease_seconds: 30 }));
  const after = await databaseNow(db);
  expect(lease).toEqual({
    object: "task_lease",
    task_id: id,
    lease_id: expect.stringMatching(/^lse_[0-9A-Za-z]+$/),
    holder: "planner-3",
    fencing_token: 1,
    expires_at: expect.any(Number),
  });
  expect(lease.expires_at).toBeGreaterThanOrEqual(before + 30);
  expect(lease.expires_at).toBeLessThanOrEqual(after + 30);
  expect(leaseOf(await held(id))).toEqual(lease);
  expect((await api("HEAD", `/api/tasks/${id}/lease`, { key })).status).toBe(200);
});

test("A lease lasts 15 minutes by default", async ({ api, db, key }) => {
  const { task, take } = leaseClient(api, key);
  const before = await databaseNow(db);
  const { expires_at } = await take((await task()).id);
  expect(expires_at).toBeGreaterThanOrEqual(before + 900);
  expect(expires_at).toBeLessThanOrEqual((await databaseNow(db)) + 900);
});

test("Of workers that take one task at once one succeeds, and the others learn its name", async ({
  api,
  db,
  key,
}) => {
  const { task, tryTake } = leaseClient(api, key);
  const { id } = await task();
  const take = (holder: string) => () => tryTake(id, { holder });
  const [winner, ...losers] = await whileLocked(
    db,
    { table: "tasks", id },
    take("first"),
    take("second"),
    take("third"),
  );
  expectStatus(winner, 200);
  for (const loser of losers) {
    expectError(loser, 409, "lease_held");
    expect(loser.body.error.message).toContain('"first"');
  }
});

test("A conflict names the holder, the expiry and the time to wait", async ({ api, key }) => {
  const { task, take, tryTake } = leaseClient(api, key);
  const { id } = await task();
  const { expires_at } = await take(id, { holder: "planner-3", lease_seconds: 240 });
  const refused = await tryTake(id, { holder: "planner-3" });
  expectError(refused, 409, "lease_held");
  expect(refused.body.error.message).toContain(`held by "planner-3" until ${expires_at}`);
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(200);
  expect(wait).toBeLessThanOrEqual(240);
});

test("The same lease_id renews the lease with the same token, and any other is lease_lost", async ({
  api,
  key,
}) => {
  const { task, take, tryTake, held } = leaseClient(api, key);
  const { id } = await task();
  const first = await take(id, { lease_seconds: 30 });
  const renewed = await take(id, { lease_id: first.lease_id, lease_seconds: 600, holder: "me" });
  expect(renewed).toEqual({ ...first, holder: "me", expires_at: renewed.expires_at });
  expect(renewed.expires_at).toBeGreaterThan(first.expires_at + 500);
  const foreign = await tryTake(id, { holder: "x", lease_id: "lse_of_somebody_else" });
  expectError(foreign, 409, "lease_lost", "lease_id");
  expect(foreign.body.error.message).toContain(`"me"`);
  expect(leaseOf(await held(id))).toEqual(renewed);

  const free = await task();
  const never = await tryTake(free.id, { holder: "x", lease_id: first.lease_id });
  expectError(never, 409, "lease_lost", "lease_id");
});

test("A lease expires to the second, and can be renewed until somebody else takes the task", async ({
  api,
  db,
  key,
}) => {
  const { task, take, tryTake, held } = leaseClient(api, key);
  const { id } = await task();
  const first = await take(id, { lease_seconds: 3600 });
  const endIn = (seconds: number) =>
    db.query("UPDATE tasks SET lease_expires_at = unix_now() + $2::bigint WHERE id = $1", [
      id,
      seconds,
    ]);
  await endIn(30);
  expectStatus(await held(id), 200);
  expectError(await tryTake(id, { holder: "other" }), 409, "lease_held");
  await endIn(0);
  expectError(await held(id), 404, "resource_not_found");
  expect((await take(id, { lease_id: first.lease_id })).fencing_token).toBe(1);
  await endIn(0);
  const second = await take(id, { holder: "other" });
  expect(second.fencing_token).toBe(2);
  expect(second.lease_id).not.toBe(first.lease_id);
  const late = await tryTake(id, { holder: "worker", lease_id: first.lease_id });
  expectError(late, 409, "lease_lost", "lease_id");
});

test("A released task is free at once, and its lease can be released again but not renewed", async ({
  api,
  key,
}) => {
  const { task, take, tryTake, held, release } = leaseClient(api, key);
  const { id } = await task();
  const lease = await take(id);
  expectError(await release(id, "lse_of_somebody_else"), 409, "lease_lost", "lease_id");
  expectStatus(await held(id), 200);
  const released = await release(id, lease.lease_id);
  expect({ status: released.status, text: released.text }).toEqual({ status: 204, text: "" });
  expectError(await held(id), 404, "resource_not_found");
  expectStatus(await release(id, lease.lease_id), 204);
  const again = await tryTake(id, { holder: "worker", lease_id: lease.lease_id });
  expectError(again, 409, "lease_lost", "lease_id");
  expectError(await release(id, "lse_of_somebody_else"), 409, "lease_lost", "lease_id");
  const next = await take(id, { holder: "other" });
  expect(next.fencing_token).toBe(2);
  expectError(await release(id, lease.lease_id), 409, "lease_lost", "lease_id");
  expect(leaseOf(await held(id))).toEqual(next);
});

test("A lease changes neither the task's fields nor its ETag nor its place in lists", async ({
  api,
  key,
}) => {
  const { task, take, release } = leaseClient(api, key);
  const { id } = await task();
  await task({ name: "Newer" });
  const read = async () => {
    const one = await api("GET", `/api/tasks/${id}`, { key });
    return [one.text, one.headers.get("etag"), (await api("GET", "/api/tasks", { key })).text];
  };
  const before = await read();
  const lease = await take(id);
  expect(await read()).toEqual(before);
  expectStatus(await release(id, lease.lease_id), 204);
  expect(await read()).toEqual(before);
});

test("A lease is advisory: others may still change or delete the task", async ({ api, key }) => {
  const { task, take, tryTake, held } = leaseClient(api, key);
  const { id } = await task();
  const lease = await take(id);
  const patched = await api("PATCH", `/api/tasks/${id}`, { key, body: { name: "Changed" } });
  expectStatus(patched, 200);
  expect(leaseOf(await held(id))).toEqual(lease);
  expectStatus(await api("DELETE", `/api/tasks/${id}`, { key }), 204);
  expectError(await held(id), 404, "resource_not_found");
  const renewed = await tryTake(id, { holder: "worker", lease_id: lease.lease_id });
  expectError(renewed, 404, "resource_not_found");
});

test("A public task needs only its ID, and a claim keeps its lease", async ({ api, key }) => {
  const anybody = leaseClient(api);
  const owner = leaseClient(api, key);
  const { id, claim_token } = await anybody.task();
  const lease = await anybody.take(id, { holder: "a stranger" });
  expect(leaseOf(await anybody.held(id))).toEqual(lease);
  expectError(await owner.tryTake(id, { holder: "me" }), 409, "lease_held");
  const body = { claim_token };
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body }), 200);
  expectError(await anybody.held(id), 403, "forbidden");
  expectError(await anybody.release(id, lease.lease_id), 403, "forbidden");
  expect(leaseOf(await owner.held(id))).toEqual(lease);
  expectStatus(await owner.release(id, lease.lease_id), 204);
});

test("holder has 1 to 200 code points, lease_seconds is 30 to 86400, and errors name the field", async ({
  api,
  key,
}) => {
  const { task, tryTake } = leaseClient(api, key);
  const { id } = await task();
  const wrong: Array<[object, string, string]> = [
    [{}, "missing_required_param", "holder"],
    [{ holder: "" }, "invalid_param", "holder"],
    [{ holder: null }, "invalid_param", "holder"],
    [{ holder: 7 }, "invalid_param", "holder"],
    [{ holder: "𝕏".repeat(201) }, "invalid_param", "holder"],
    [{ holder: "a\u0000b" }, "invalid_param", "holder"],
    [{ holder: "a\ud800b" }, "invalid_param", "holder"],
    [{ holder: "x", lease_seconds: 29 }, "invalid_param", "lease_seconds"],
    [{ holder: "x", lease_seconds: 86_401 }, "invalid_param", "lease_seconds"],
    [{ holder: "x", lease_seconds: 60.5 }, "invalid_param", "lease_seconds"],
    [{ holder: "x", lease_seconds: "60" }, "invalid_param", "lease_seconds"],
    [{ holder: "x", lease_id: null }, "invalid_param", "lease_id"],
    [{ holder: "x", lease_id: "a\u0000b" }, "invalid_param", "lease_id"],
    [{ holder: "x", ttl: 1 }, "unknown_param", "ttl"],
  ];
  for (const [body, code, param] of wrong) {
    expectError(await tryTake(id, body), 400, code, param);
    const next = await api("POST", "/api/tasks/lease-next", { key, body });
    if (param === "lease_id") expectError(next, 400, "unknown_param", "lease_id");
    else expectError(next, 400, code, param);
  }
  const deleted = (body?: object) => api("DELETE", `/api/tasks/${id}/lease`, { key, body });
  expectError(await deleted(), 400, "invalid_json");
  expectError(await deleted({}), 400, "missing_required_param", "lease_id");
  expectError(await deleted({ lease_id: "x", holder: "y" }), 400, "unknown_param", "holder");
  expectStatus(await tryTake(id, { holder: "x", lease_seconds: 86_400 }), 200);
});

test("A hostile holder is stored verbatim, and breaks neither responses nor errors", async ({
  api,
  key,
}) => {
  const { task, take, tryTake, held } = leaseClient(api, key);
  for (const holder of HOLDERS) {
    const { id } = await task();
    await take(id, { holder });
    expect(leaseOf(await held(id)).holder).toBe(holder);
    const refused = await tryTake(id, { holder: "other" });
    expectError(refused, 409, "lease_held");
    expect(refused.headers.get("x-injected")).toBeNull();
    expect(refused.body.error.message.length).toBeLessThan(400);
  }
});

test("lease-next takes free tasks by priority, then due date, then age", async ({ api, key }) => {
  const { task, take, next } = leaseClient(api, key);
  const made = [
    { name: "low, old" },
    { name: "medium, never due", priority: "medium" },
    { name: "high, due later", priority: "high", due_at: 2_000_000_000 },
    { name: "high, due long ago", priority: "high", due_at: -5 },
    { name: "critical, held", priority: "critical" },
    { name: "high, never due, old", priority: "high" },
    { name: "high, never due, new", priority: "high" },
    { name: "low, due", due_at: 9_007_199_254_740_991 },
    { name: "low, new" },
    { name: "critical", priority: "critical" },
  ];
  for (const fields of made) {
    const { id, name } = await task(fields);
    if (name === "critical, held") await take(id);
  }
  const order: Array<string | undefined> = [];
  for (const _ of made) order.push((await next()).task?.name);
  expect(order).toEqual([
    "critical",
    "high, due long ago",
    "high, due later",
    "high, never due, old",
    "high, never due, new",
    "medium, never due",
    "low, due",
    "low, old",
    "low, new",
    undefined,
  ]);
});

test("lease-next returns the task as a read does, with its lease, or null for both", async ({
  api,
  db,
  key,
}) => {
  const { task, next, held } = leaseClient(api, key);
  const none = { object: "task_lease_result", task: null, lease: null };
  expect(await next()).toEqual(none);
  const { id } = await task({ description: "All of it", labels: ["a"], external_id: "x-1" });
  const response = await next({ holder: "worker-9", lease_seconds: 60 });
  expect(response.object).toBe("task_lease_result");
  expect(response.task).toEqual((await api("GET", `/api/tasks/${id}`, { key })).body);
  expect(response.lease).toEqual(leaseOf(await held(id)));
  expect(response.lease).toMatchObject({ task_id: id, holder: "worker-9", fencing_token: 1 });
  expect(await next()).toEqual(none);
  await elapseLeases(db, [id], 60);
  expect((await next()).lease).toMatchObject({ task_id: id, fencing_token: 2 });
});

test("lease-next takes tasks with all of labels and none of not_labels, done ones only by label", async ({
  api,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  for (const labels of [["a"], ["a", "b"], ["a", "b", "done"], ["b", "blocked"], []]) {
    await task({ name: labels.join() || "none", labels });
  }
  const names = async (body: object) => (await next(body)).task?.name;
  expect(await names({ labels: ["b"], not_labels: ["done", "a"] })).toBe("b,blocked");
  expect(await names({ labels: ["a", "b"], not_labels: ["blocked"] })).toBe("a,b");
  expect(await names({ labels: ["a", "b"], not_labels: ["done"] })).toBeUndefined();
  expect(await names({ labels: ["nobody has this"] })).toBeUndefined();
  expect(await names({ not_labels: ["done"] })).toBe("a");
  expect(await names({ labels: [], not_labels: ["done"] })).toBe("none");
  expect(await names({})).toBeUndefined();
  expect(await names({ labels: ["done"], not_labels: [] })).toBe("a,b,done");
});

test("A waiting worker gets a task that becomes ready by a create, a release or its labels", async ({
  api,
  db,
}) => {
  const waiter = async (prepare: (client: LeaseClient, key: string) => Promise<() => unknown>) => {
    const { key } = await makeOrganization(db);
    const client = leaseClient(api, key);
    const ready = await prepare(client, key);
    const woken = client
      .next({ wait_seconds: 20 })
      .then(({ task }) => ({ name: task?.name, at: performance.now() }));
    return { ready, woken };
  };
  const waiters = await Promise.all([
    waiter(
      async ({ task }) =>
        () =>
          task({ name: "created" }),
    ),
    waiter(async ({ task, take, release }) => {
      const { id } = await task({ name: "released" });
      const { lease_id } = await take(id);
      return () => release(id, lease_id);
    }),
    waiter(async ({ task }, key) => {
      const { id } = await task({ name: "not done", labels: ["done"] });
      const body = { remove: ["done"] };
      return () => api("POST", `/api/tasks/${id}/labels`, { key, body });
    }),
    waiter(async ({ task }, key) => {
      const { id } = await task({ name: "patched", labels: ["done"] });
      return () => api("PATCH", `/api/tasks/${id}`, { key, body: { labels: [] } });
    }),
  ]);
  // Without a notification a waiter does not look between 1.75 s and 30 s.
  await pause(2200);
  const started = performance.now();
  await Promise.all(waiters.map(({ ready }) => ready()));
  const woken = await Promise.all(waiters.map((one) => one.woken));
  expect(woken.map(({ name }) => name)).toEqual(["created", "released", "not done", "patched"]);
  await expectWithin(api, 4000, Math.max(...woken.map(({ at }) => at)) - started);
});

test("A waiting worker gets a task as soon as its lease expires, or null at the end of the wait", async ({
  api,
  db,
  key,
}) => {
  const { task, take, next } = leaseClient(api, key);
  const { id } = await task();
  await take(id, { lease_seconds: 30 });
  await elapseLeases(db, [id], 27);
  const response = await next({ wait_seconds: 20 });
  expect(response.lease).toMatchObject({ task_id: id, fencing_token: 2 });
  const started = performance.now();
  expect(await next({ wait_seconds: 1 })).toMatchObject({ task: null, lease: null });
  expect(performance.now() - started).toBeGreaterThan(950);
});

test("wait_seconds is clamped to 0 to 20, and refused when it is not an integer", async ({
  api,
  key,
}) => {
  const next = (wait_seconds: unknown) =>
    api("POST", "/api/tasks/lease-next", { key, body: { holder: "x", wait_seconds } });
  expectStatus(await next(-1), 200);
  for (const wrong of [1.5, "1", null]) {
    expectError(await next(wrong), 400, "invalid_param", "wait_seconds");
  }
});

test("lease-next takes no foreign and no public tasks", async ({ api, key, otherOrganization }) => {
  await leaseClient(api, otherOrganization.key).task();
  await leaseClient(api).task();
  expect((await leaseClient(api, key).next()).task).toBeNull();
});

test("20 workers take each of 200 tasks exactly once, in order of urgency", async ({
  api,
  db,
  organization,
  key,
}) => {
  test.setTimeout(120_000);
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, priority)
     SELECT 'tsk_' || substr($1, 5) || n, $1, n, ('{low,critical}'::task_priority[])[1 + n % 2]
     FROM generate_series(1, 200) AS n`,
    [organization.id],
  );
  const { next } = leaseClient(api, key);
  const taken: Array<{ id: string; priority: string; token: number }> = [];
  const work = async (holder: string) => {
    for (;;) {
      const { task, lease } = await next({ holder });
      if (!task || !lease) return;
      taken.push({ id: task.id, priority: task.priority, token: lease.fencing_token });
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => work(`worker-${index}`)));
  expect(new Set(taken.map(({ id }) => id)).size).toBe(200);
  expect(taken).toHaveLength(200);
  expect(taken.every(({ token }) => token === 1)).toBe(true);
  // Twenty run in parallel, so responses may be out of order only near the boundary.
  expect(taken.slice(0, 80).every(({ priority }) => priority === "critical")).toBe(true);
});

test("Of workers that ask at once each gets a task of its organization, with its own holder and length", async ({
  api,
  db,
  key,
  otherOrganization,
}) => {
  const clients = [leaseClient(api, key), leaseClient(api, otherOrganization.key)];
  const tasks: string[][] = [[], []];
  for (let n = 0; n < 10; n++) {
    for (const [index, { task }] of clients.entries())
      tasks[index]?.push(String((await task()).id));
  }
  const before = await databaseNow(db);
  const asked = clients.flatMap(({ next }, index) =>
    Array.from({ length: 12 }, async (_, n) => {
      const lease_seconds = 1000 + 100 * n;
      const { task, lease } = await next({ holder: `worker-${n}`, lease_seconds });
      if (!task || !lease) return null;
      expect(tasks[index]).toContain(task.id);
      expect(lease).toMatchObject({ task_id: task.id, holder: `worker-${n}`, fencing_token: 1 });
      expect(Math.abs(lease.expires_at - before - lease_seconds)).toBeLessThan(50);
      return task.id;
    }),
  );
  const leased = (await Promise.all(asked)).filter((id) => id !== null);
  expect(leased.sort()).toEqual(tasks.flat().sort());
});

test("A worker that leaves does not cost the others their task", async ({ api, baseUrl, key }) => {
  const { task, next } = leaseClient(api, key);
  for (let n = 0; n < 20; n++) await task();
  const leaving = Array.from({ length: 10 }, async () => {
    const controller = new AbortController();
    const response = fetch(`${baseUrl}/api/tasks/lease-next`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: '{"holder":"leaving"}',
      signal: controller.signal,
    });
    controller.abort();
    await response.catch(() => {});
  });
  const staying = await Promise.all(Array.from({ length: 10 }, () => next({ holder: "staying" })));
  await Promise.all(leaving);
  expect(new Set(staying.map(({ task }) => task?.id)).size).toBe(10);
  expect(staying.every(({ lease }) => lease?.holder === "staying")).toBe(true);
});
