import { type KindName, kindNamed, kinds } from "@/lib/resources/kinds";
import { type Age, age, DAY } from "../support/age";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { sweep } from "../support/sweep";
import { startTarget } from "../support/target";

/** Unclaimed resources expire. */

for (const { name, table, first } of kinds) {
  const path = `/api/${name}`;
  test(`Only public resources of ${path} unused for 30 days are deleted`, async ({
    api,
    db,
    organization,
  }) => {
    const create = async (days: Age, key?: string) => {
      const { id: made } = (await api("POST", path, { key, body: first.body })).body;
      // A message that is still to be sent is kept, and so is an open question.
      if (name === "messages")
        expectStatus(await api("POST", `${path}/${made}/cancel`, { key }), 200);
      if (name === "questions")
        expectStatus(await api("POST", `${path}/${made}/withdraw`, { key }), 200);
      const id = await age(db, table, made, days);
      await db.query(
        "UPDATE inbox_state SET active_at = active_at - $2::bigint WHERE inbox_id = $1",
        [id, days.made * DAY],
      );
      return id;
    };
    const old = await create({ made: 31, written: 31 });
    const young = await create({ made: 29, written: 29 });
    const owned = await create({ made: 31, written: 31 }, organization.key);
    const written = await create({ made: 31, written: 0 });

    await expect
      .poll(async () => {
        await sweep(api, db);
        return (await api("GET", `${path}/${old}`)).status;
      })
      .toBe(404);
    for (const id of [young, written]) expectStatus(await api("GET", `${path}/${id}`), 200);
    expectStatus(await api("GET", `${path}/${owned}`, { key: organization.key }), 200);
  });
}

test("A public message that is still to be sent is kept, and deleted 30 days after it was", async ({
  api,
  db,
}) => {
  const target = await startTarget();
  const due_at = Math.floor(Date.now() / 1000) + DAY;
  const create = async (made: number, columns: object) => {
    const body = { url: target.url, delay_seconds: 60 * DAY };
    const created = await api("POST", "/api/messages", { body });
    expectStatus(created, 201);
    return age(db, "scheduled_messages", created.body.id, { made, written: made, columns });
  };
  const waiting = await create(59, { due_at, scheduled_at: due_at });
  const sending = await create(59, { due_at, status: "delivering", lease_token: "x", attempts: 1 });
  const retried = await create(59, { due_at, status: "failed", attempts: 1 });
  // The sweep deletes the oldest first.
  const ended = await create(58, { due_at: null, status: "failed", attempts: 1 });
  const statusOf = async (id: string) => (await api("GET", `/api/messages/${id}`)).status;
  const isSwept = (id: string) =>
    expect
      .poll(async () => {
        await sweep(api, db);
        return statusOf(id);
      })
      .toBe(404);

  await isSwept(ended);
  for (const id of [waiting, sending, retried]) expect(await statusOf(id)).toBe(200);

  await db.query("UPDATE scheduled_messages SET due_at = unix_now() WHERE id = $1", [waiting]);
  await expect
    .poll(async () => {
      await sweep(api, db);
      return (await api("GET", `/api/messages/${waiting}`)).body.status;
    })
    .toBe("delivered");
  expect(target.received).toHaveLength(1);
  await db.query(
    "UPDATE scheduled_messages SET updated_at = updated_at - $2::bigint WHERE id = $1",
    [waiting, 31 * DAY],
  );
  await isSwept(waiting);
  await target.stop();
});

test("The messages of a forward are canceled when its unused endpoint is deleted", async ({
  api,
  db,
}) => {
  const { table, first } = kindNamed("webhooks");
  const { id: made } = (await api("POST", "/api/webhooks", { body: first.body })).body;
  const endpoint = await age(db, table, made, { made: 31, written: 31 });
  const body = { url: "https://example.com/", delay_seconds: DAY };
  const { id } = (await api("POST", "/api/messages", { body })).body;
  await db.query("UPDATE scheduled_messages SET webhook_endpoint_id = $2 WHERE id = $1", [
    id,
    endpoint,
  ]);
  await expect
    .poll(async () => {
      await sweep(api, db);
      return (await api("GET", `/api/webhooks/${endpoint}`)).status;
    })
    .toBe(404);
  expect((await api("GET", `/api/messages/${id}`)).body.status).toBe("canceled");
});

test("A public question is kept while it is open, and then expires", async ({ api, db }) => {
  const body = { prompt: "Deploy?", kind: "approve", expires_in: 30 * DAY };
  const create = async (made: number, columns: object) => {
    const created = await api("POST", "/api/questions", { body });
    expectStatus(created, 201);
    return age(db, "questions", created.body.id, { made, written: made, columns });
  };
  const stateOf = async (id: string) => (await api("GET", `/api/questions/${id}`)).body.state;
  const open = await create(40, {});
  const ended = await create(39, { state: "expired" });
  // The sweep deletes the oldest first.
  await expect
    .poll(async () => {
      await sweep(api, db);
      return (await api("GET", `/api/questions/${ended}`)).status;
    })
    .toBe(404);
  expect(await stateOf(open)).toBe("open");

  await db.query("UPDATE questions SET expires_at = unix_now() WHERE id = $1", [open]);
  await sweep(api, db);
  expect(await stateOf(open)).toBe("expired");
});

test("A public task lives on after a note or a lease, though neither is a change of it", async ({
  api,
  db,
}) => {
  const make = async () => (await api("POST", "/api/tasks", { body: { name: "Old" } })).body.id;
  const makeOld = async (id: string) => {
    // In one statement, because other tests sweep at the same time.
    const { rows } = await db.query<{ id: string }>(
      `UPDATE tasks SET id = 'tsk_' || id_time((unix_now() - $2::bigint) * 1000000) || right(id, 16),
         created_at = created_at - $2::bigint, updated_at = updated_at - $2::bigint
       WHERE id = $1 RETURNING id`,
      [id, 31 * DAY],
    );
    return `/api/tasks/${rows[0]?.id}`;
  };
  const [noted, leased, forgotten] = [await make(), await make(), await make()];
  for (const id of [noted, forgotten]) {
    expectStatus(await api("POST", `/api/tasks/${id}/notes`, { body: { body: "Seen" } }), 200);
  }
  await db.query("UPDATE task_notes SET created_at = 1 WHERE task_id = $1", [forgotten]);
  expectStatus(
    await api("POST", `/api/tasks/${leased}/lease`, { body: { holder: "worker" } }),
    200,
  );
  const used = [await makeOld(noted), await makeOld(leased)];
  const unused = await makeOld(forgotten);
  await expect
    .poll(async () => {
      await sweep(api, db);
      return (await api("GET", unused)).status;
    })
    .toBe(404);
  for (const path of used) expectStatus(await api("GET", path), 200);
});

test("A public resource lives on after a write that leaves updated_at alone: a share, a setting, a purge or a run", async ({
  api,
  db,
}) => {
  const writes: [kind: KindName, method: string, below: string, body?: object][] = [
    ["artifacts", "POST", "share", {}],
    ["webhooks", "PUT", "forward", { url: "https://example.com" }],
    ["webhooks", "PUT", "verification", { scheme: "github", secret: "x".repeat(16) }],
    ["webhooks", "DELETE", "events"],
    ["schedules", "POST", "run"],
  ];
  const make = async (name: KindName, written: number) => {
    const { table, first } = kindNamed(name);
    const { id } = (await api("POST", `/api/${name}`, { body: first.body })).body;
    return age(db, table, id, { made: 31, written });
  };
  const used = await Promise.all(
    writes.map(async ([name, method, below, body]) => {
      const id = await make(name, 0);
      const path = `/api/${name}/${id}`;
      const { status, text } = await api(method, `${path}/${below}`, { body });
      expect(status, text).toBeLessThan(300);
      await db.query(
        `UPDATE ${kindNamed(name).table} SET updated_at = updated_at - $2::bigint WHERE id = $1`,
        [id, 31 * DAY],
      );
      return path;
    }),
  );
  const names = new Set(writes.map(([name]) => name));
  const unused = await Promise.all(
    [...names].map(async (name) => `/api/${name}/${await make(name, 31)}`),
  );
  const statuses = (paths: string[]) =>
    Promise.all(paths.map(async (path) => (await api("GET", path)).status));
  await expect
    .poll(async () => {
      await sweep(api, db);
      return statuses(unused);
    })
    .toEqual(unused.map(() => 404));
  expect(await statuses(used)).toEqual(used.map(() => 200));
});
