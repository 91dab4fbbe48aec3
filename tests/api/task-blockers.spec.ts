import { makeOrganization } from "../support/accounts";
import { finishClient } from "../support/blockers";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, ApiResponse, Body } from "../support/http";
import { leaseClient, type Next } from "../support/leases";
import { whileUncommitted } from "../support/locks";
import { ask } from "../support/questions";
import { pause } from "../support/servers";

const UNKNOWN = "tsk_0000000000000000000000000";
const LOCK = "pg_advisory_xact_lock";

/** Locks the blockers of an owner's tasks. */
function lockOf(owner: string): string {
  return `SELECT ${LOCK}(hashtextextended('task_blockers:${owner}', 4))`;
}

test("20 workers complete 200 tasks with blockers once each and in order", async ({
  api,
  db,
  key,
  organization,
}) => {
  const TASKS = 200;
  const { next } = leaseClient(api, key);
  const { complete, listed } = finishClient(api, key);
  const idOf = (n: number) => `tsk_${organization.id.slice(4, 12)}${String(n).padStart(17, "0")}`;
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, priority)
     SELECT id, $2, 'Step', ('{low,medium,high,critical}'::task_priority[])[1 + n * 4 / 201]
     FROM unnest($1::text[]) WITH ORDINALITY AS given (id, n)`,
    [Array.from({ length: TASKS }, (_, n) => idOf(n)), organization.id],
  );
  // The later a task, the more urgent, so that only its blockers keep it from being first.
  const blockersOf = (n: number) =>
    [25, 32, 40].filter((back) => back <= n).map((back) => idOf(n - back));
  const blockers = new Map(Array.from({ length: TASKS }, (_, n) => [idOf(n), blockersOf(n)]));
  const links = [...blockers].flatMap(([id, by]) => by.map((blocker) => [id, blocker]));
  await db.query("INSERT INTO task_blockers SELECT * FROM unnest($1::text[], $2::text[])", [
    links.map(([id]) => id),
    links.map(([, blocker]) => blocker),
  ]);

  const done: string[] = [];
  const begun = new Set<string>();
  const tooEarly: string[] = [];
  const worker = async (_: unknown, index: number) => {
    while (done.length < TASKS) {
      const { task, lease }: Next = await next({ holder: `worker-${index}`, wait_seconds: 1 });
      if (!task || !lease) continue;
      if (!blockers.get(task.id)?.every((id) => begun.has(id))) tooEarly.push(task.id);
      begun.add(task.id);
      const { lease_id } = lease;
      expectStatus(await complete(task.id, { lease_id, note: `By ${index}` }), 200);
      done.push(task.id);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));

  expect(new Set(done).size).toBe(TASKS);
  expect(done).toHaveLength(TASKS);
  const { rows } = await db.query(
    `SELECT count(*)::int AS notes, count(DISTINCT task_id)::int AS tasks,
            (SELECT max(fencing_token)::int FROM tasks WHERE organization_id = $1) AS leases
     FROM task_notes JOIN tasks ON tasks.id = task_id WHERE organization_id = $1`,
    [organization.id],
  );
  expect(rows[0]).toEqual({ notes: TASKS, tasks: TASKS, leases: 1 });
  expect(tooEarly).toEqual([]);
  expect(await listed({ blocked: "true" })).toEqual([]);
});

test("lease-next skips a task until all its blockers are done, and takes it then", async ({
  api,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const { block, complete, blockers } = finishClient(api, key);
  const first = await task();
  const second = await task();
  const last = await task({ priority: "critical" });
  await block(last.id, first.id);
  await block(last.id, second.id);
  await block(last.id, first.id);
  expect(await blockers(last.id)).toEqual([second.id, first.id]);
  const order: (string | undefined)[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const { task: leased } = await next();
    order.push(leased?.id);
    if (leased) await complete(leased.id);
  }
  expect(order).toEqual([first.id, second.id, last.id, undefined]);
});

test("A worker that waits wakes at once when the last blocker is completed, answered, deleted or removed", async ({
  api,
  db,
}) => {
  const endings: Record<string, (call: Ending) => Promise<ApiResponse>> = {
    completed: ({ finish, blocker }) => finish.complete(blocker),
    labelled: ({ key, blocker }) =>
      api("POST", `/api/tasks/${blocker}/labels`, { key, body: { add: ["done"] } }),
    patched: ({ key, blocker }) =>
      api("PATCH", `/api/tasks/${blocker}`, { key, body: { labels: ["done"] } }),
    deleted: ({ key, blocker }) => api("DELETE", `/api/tasks/${blocker}`, { key }),
    removed: ({ finish, id, blocker }) => finish.unblock(id, blocker),
    "question answered": ({ question }) => question.answer("approve"),
    "question deleted": ({ key, question }) => api("DELETE", question.path, { key }),
    "question removed": ({ finish, id, question }) => finish.unblock(id, question.id),
  };
  const waiters = await Promise.all(
    Object.entries(endings).map(async ([name, end]) => {
      const { key } = await makeOrganization(db);
      const { task, take, next } = leaseClient(api, key);
      const finish = finishClient(api, key);
      const [blocker, { id }] = [await task(), await task({ name })];
      const question = await ask(api, key);
      await finish.block(id, name.startsWith("question") ? question.id : blocker.id);
      await take(blocker.id);
      const woken = next({ wait_seconds: 20 }).then(({ task }) => task?.name);
      return { end: () => end({ key, finish, id, blocker: blocker.id, question }), woken };
    }),
  );
  expect(await wokenAtOnce(api, waiters)).toEqual(Object.keys(endings));
});

test("A worker that waits wakes at once when a blocker without an owner is done, deleted or claimed by others", async ({
  api,
  db,
}) => {
  const open = finishClient(api);
  const endings = [
    ({ id }: Body) => open.complete(id),
    ({ id }: Body) => api("DELETE", `/api/tasks/${id}`),
    async ({ id, claim_token }: Body) => {
      const { key } = await makeOrganization(db);
      return api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
    },
  ];
  const waiters = await Promise.all(
    endings.map(async (end) => {
      const { key } = await makeOrganization(db);
      const { task } = leaseClient(api);
      const [blocker, { id, claim_token }] = [await task(), await task()];
      await open.block(id, blocker.id);
      const claim = { key, body: { claim_token } };
      expectStatus(await api("POST", `/api/claim/${id}`, claim), 200);
      const found = leaseClient(api, key).next({ wait_seconds: 20 });
      const woken = found.then(({ task }) => task?.id === id);
      return { end: () => end(blocker), woken };
    }),
  );
  expect(await wokenAtOnce(api, waiters)).toEqual(endings.map(() => true));
});

/** What each waiter gets, within four seconds of the ends of what they wait for. */
async function wokenAtOnce<Found>(
  api: Api,
  waiters: { end: () => Promise<ApiResponse>; woken: Promise<Found> }[],
): Promise<Found[]> {
  // Without a notification a waiter does not look between 1.75 s and 30 s.
  await pause(2200);
  const started = performance.now();
  for (const { status } of await Promise.all(waiters.map(({ end }) => end()))) {
    expect([200, 204]).toContain(status);
  }
  const woken = await Promise.all(waiters.map((waiter) => waiter.woken));
  await expectWithin(api, 4000, performance.now() - started);
  return woken;
}

interface Ending {
  key: string;
  finish: ReturnType<typeof finishClient>;
  id: string;
  blocker: string;
  question: Awaited<ReturnType<typeof ask>>;
}

test("A task is freed by a blocker that is done while their link is being written", async ({
  api,
  db,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const [blocker, waiting] = [await task(), await task()];
  const done = await whileUncommitted(
    db,
    [`INSERT INTO task_blockers VALUES ('${waiting.id}', '${blocker.id}')`],
    "UPDATE tasks SET",
    () => api("PATCH", `/api/tasks/${blocker.id}`, { key, body: { labels: ["done"] } }),
  );
  expectStatus(done, 200);
  expect((await next()).task?.id).toBe(waiting.id);
});

test("A task is freed by a link that is removed while another blocker becomes done", async ({
  api,
  db,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const { block, unblock } = finishClient(api, key);
  const [first, second, waiting] = [await task(), await task(), await task()];
  await block(waiting.id, first.id);
  await block(waiting.id, second.id);
  const removed = await whileUncommitted(
    db,
    [`UPDATE tasks SET labels = '{done}' WHERE id = '${first.id}'`],
    "DELETE FROM task_blockers",
    () => unblock(waiting.id, second.id),
  );
  expectStatus(removed, 204);
  expect((await next()).task?.id).toBe(second.id);
  expect((await next()).task?.id).toBe(waiting.id);
});

test("No task keeps waiting for a blocker that has ended, whatever runs at the same time", async ({
  api,
  db,
  key,
  organization,
}) => {
  const { task } = leaseClient(api, key);
  const { tryBlock, unblock, complete } = finishClient(api, key);
  const TASKS = 24;
  const ids = await Promise.all(Array.from({ length: TASKS }, async () => (await task()).id));
  const below = (limit: number) => Math.floor(Math.random() * limit);
  const reopen = (id: string) =>
    api("POST", `/api/tasks/${id}/labels`, { key, body: { remove: ["done"] } });
  const replace = async (n: number) => {
    const response = await api("DELETE", `/api/tasks/${ids[n]}`, { key });
    ids[n] = (await task()).id;
    return response;
  };
  const statuses = new Set<number>();
  const change = async () => {
    for (let turn = 0; turn < 15; turn += 1) {
      const n = 1 + below(TASKS - 1);
      const [id = "", other = ""] = [ids[n], ids[below(n)]];
      const kinds = [
        () => tryBlock(id, other),
        () => tryBlock(id, other),
        () => tryBlock(id, other),
        () => unblock(id, other),
        () => complete(other),
        () => reopen(other),
        () => replace(below(TASKS)),
      ];
      statuses.add((await kinds[below(kinds.length)]?.())?.status ?? 0);
    }
  };
  await Promise.all(Array.from({ length: 16 }, change));
  // A deletion may come before a call that names the task, and IDs that moved may form a cycle.
  expect([200, 204, 404, 409]).toEqual(expect.arrayContaining([...statuses]));

  const { rows } = await db.query<{ waiting: number; stuck: number }>(
    `SELECT count(*) FILTER (WHERE task.waits_for IS NOT NULL)::int AS waiting,
            count(*) FILTER (WHERE task.waits_for IS NOT NULL AND NOT EXISTS (
              SELECT FROM task_blockers AS link JOIN tasks AS blocker ON blocker.id = link.blocker_id
              WHERE link.task_id = task.id AND blocker.id = task.waits_for
                AND NOT blocker.labels @> '{done}'))::int AS stuck
     FROM tasks AS task WHERE organization_id = $1`,
    [organization.id],
  );
  expect(rows[0]?.stuck).toBe(0);
  expect(rows[0]?.waiting).toBeGreaterThan(0);
});

test("The list of tasks can be limited to blocked or to free ones", async ({ api, key }) => {
  const { task } = leaseClient(api, key);
  const { block, complete, listed } = finishClient(api, key);
  const [free, blocker, blocked] = [await task(), await task(), await task()];
  await block(blocked.id, blocker.id);
  const idsOf = async (value: string) => (await listed({ blocked: value })).map(({ id }) => id);
  expect(await idsOf("true")).toEqual([blocked.id]);
  expect(await idsOf("false")).toEqual([blocker.id, free.id]);
  const counted = await api("GET", "/api/tasks", {
    key,
    query: { blocked: "true", include: "total_count" },
  });
  expect(counted.body.total_count).toBe(1);
  await complete(blocker.id);
  expect(await idsOf("true")).toEqual([]);
  for (const value of ["", "TRUE", "1", "yes"]) {
    const refused = await api("GET", "/api/tasks", { key, query: { blocked: value } });
    expectError(refused, 400, "invalid_param", "blocked");
  }
});

test("A cycle of any length is refused, of 1, 2 and 50 tasks", async ({ api, key }) => {
  const { task } = leaseClient(api, key);
  const { block, tryBlock, unblock, blockers } = finishClient(api, key);
  const ids = (await Promise.all(Array.from({ length: 50 }, () => task()))).map(({ id }) => id);
  const [first = "", second = ""] = ids;
  const last = ids.at(-1) ?? "";
  expectError(await tryBlock(first, first), 409, "blocker_cycle", "blockerId");
  await block(first, second);
  expectError(await tryBlock(second, first), 409, "blocker_cycle", "blockerId");
  await Promise.all(ids.slice(1, -1).map((id, index) => block(id, ids[index + 2] ?? "")));
  expectError(await tryBlock(last, first), 409, "blocker_cycle", "blockerId");
  expect(await blockers(last)).toEqual([]);
  // The same task is no cycle once the chain is broken.
  expectStatus(await unblock(ids[20] ?? "", ids[21] ?? ""), 204);
  await block(last, first);
});

test("Requests that run together never close a cycle", async ({ api, key }) => {
  const { task } = leaseClient(api, key);
  const { tryBlock } = finishClient(api, key);
  for (const length of [2, 2, 2, 2, 3, 5, 10]) {
    const ids = (await Promise.all(Array.from({ length }, () => task()))).map(({ id }) => id);
    const responses = await Promise.all(
      ids.map((id, index) => tryBlock(id, ids[(index + 1) % length] ?? "")),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(length - 1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(1);
  }
});

test("A link waits for the lock of its new owner if the tasks are claimed before it is added", async ({
  api,
  db,
  key,
  organization,
}) => {
  const { task } = leaseClient(api);
  const { tryBlock, blockers } = finishClient(api, key);
  const before: [statements: string[], waiter: string][] = [
    [[lockOf("public")], LOCK],
    // The claim alone has locked the task.
    [[], "RECURSIVE pair"],
  ];
  for (const [statements, first] of before) {
    const [{ id }, blocker] = [await task(), await task()];
    const claim = `UPDATE tasks SET organization_id = '${organization.id}'
                   WHERE id IN ('${id}', '${blocker.id}')`;
    const added = await whileUncommitted(db, [lockOf(organization.id)], LOCK, () =>
      whileUncommitted(db, [...statements, claim], first, () => tryBlock(id, blocker.id)),
    );
    expectStatus(added, 204);
    expect(await blockers(id)).toEqual([blocker.id]);
  }
});

test("A claim of a task waits for the links that are being added to public tasks, since one could close a cycle", async ({
  api,
  db,
  key,
}) => {
  const { id, claim_token } = await leaseClient(api).task();
  const claim = () => api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
  expectStatus(await whileUncommitted(db, [lockOf("public")], LOCK, claim), 200);
});

test("A blocker with too many tasks and links before it is refused, unless it is one already", async ({
  api,
  db,
  key,
  organization,
}) => {
  const { task } = leaseClient(api, key);
  const { tryBlock, block, unblock } = finishClient(api, key);
  const [first, { id }, blocker] = [await task(), await task(), await task()];
  await block(first.id, id);
  // Three rows of a hundred tasks, each blocked by all of the next row: 20 000 links.
  await db.query(
    `WITH made AS (
       INSERT INTO tasks (id, organization_id, name, waits_for)
       SELECT 'tsk_' || place || $2 || n, $1, 'Waits', $3
       FROM generate_series(1, 3) AS place, generate_series(1, 100) AS n RETURNING id)
     INSERT INTO task_blockers SELECT $3, id FROM made WHERE id LIKE 'tsk_1%'`,
    [organization.id, organization.id.slice(4, 14), blocker.id],
  );
  await db.query(
    `INSERT INTO task_blockers
     SELECT 'tsk_' || place || $1 || n, 'tsk_' || place + 1 || $1 || m
     FROM generate_series(1, 2) AS place, generate_series(1, 100) AS n, generate_series(1, 100) AS m`,
    [organization.id.slice(4, 14)],
  );
  const refused = await tryBlock(id, blocker.id);
  expectError(refused, 400, "invalid_param", "blockerId");
  expect(refused.text).toContain("to rule out a cycle");
  await db.query("INSERT INTO task_blockers VALUES ($1, $2)", [id, blocker.id]);
  await block(id, blocker.id);
  expectStatus(await unblock(id, blocker.id), 204);
  // A task that blocks nothing is on no cycle.
  expectStatus(await unblock(first.id, id), 204);
  await block(id, blocker.id);
});

test("Only tasks of one owner block each other", async ({ api, key, otherOrganization }) => {
  const own = await leaseClient(api, key).task();
  const foreign = await leaseClient(api, otherOrganization.key).task();
  const [open, openToo] = [await leaseClient(api).task(), await leaseClient(api).task()];
  const { tryBlock, unblock } = finishClient(api, key);
  expectError(await tryBlock(own.id, foreign.id), 403, "forbidden");
  expectError(await tryBlock(foreign.id, own.id), 403, "forbidden");
  expectError(await unblock(foreign.id, own.id), 403, "forbidden");
  expectError(await tryBlock(own.id, open.id), 400, "invalid_param", "blockerId");
  expectError(await tryBlock(open.id, own.id), 400, "invalid_param", "blockerId");
  expectError(await tryBlock(own.id, UNKNOWN), 404, "resource_not_found");
  expectError(await tryBlock(UNKNOWN, own.id), 404, "resource_not_found");
  expectError(await tryBlock(own.id, "x%00y"), 404, "resource_not_found");
  expectError(await finishClient(api).tryBlock(open.id, own.id), 403, "forbidden");
  await finishClient(api).block(open.id, openToo.id);
});

test("A blocker that another organization claims blocks nobody and is not shown", async ({
  api,
  key,
  otherOrganization,
}) => {
  const anonymous = leaseClient(api);
  const [task, blocker] = [await anonymous.task(), await anonymous.task()];
  await finishClient(api).block(task.id, blocker.id);
  const claim = (id: string, claim_token: unknown, by: string) =>
    api("POST", `/api/claim/${id}`, { key: by, body: { claim_token } });
  expectStatus(await claim(task.id, task.claim_token, key), 200);
  const mine = finishClient(api, key);
  expect(await mine.blockers(task.id)).toEqual([blocker.id]);
  expect((await leaseClient(api, key).next()).task).toBeNull();
  expectStatus(await claim(blocker.id, blocker.claim_token, otherOrganization.key), 200);
  expect(await mine.blockers(task.id)).toEqual([]);
  expect((await leaseClient(api, key).next()).task?.id).toBe(task.id);
});

test("A blocker is removed once and its removal may be repeated", async ({ api, key }) => {
  const { task } = leaseClient(api, key);
  const { block, unblock, blockers } = finishClient(api, key);
  const [one, other] = [await task(), await task()];
  await block(one.id, other.id);
  expectStatus(await unblock(one.id, other.id), 204);
  expectStatus(await unblock(one.id, other.id), 204);
  expectStatus(await unblock(one.id, UNKNOWN), 204);
  expect(await blockers(one.id)).toEqual([]);
  expectStatus(await api("DELETE", `/api/tasks/${other.id}`, { key }), 204);
  expectError(await unblock(other.id, one.id), 404, "resource_not_found");
});

test("At most 10 000 tasks wait for one task or question", async ({
  api,
  db,
  key,
  organization,
}) => {
  const { task } = leaseClient(api, key);
  const { tryBlock, block, blockers, unblock } = finishClient(api, key);
  const [known, extra, blocker] = [await task(), await task(), await task()];
  const question = await ask(api, key);
  for (const { id } of [blocker, question]) await block(known.id, id);
  await db.query(
    `WITH made AS (
       INSERT INTO tasks (id, organization_id, name, waits_for)
       SELECT 'tsk_w' || $2 || n, $1, 'Waits', $3 FROM generate_series(1, 9999) AS n RETURNING id
     ), asked AS (INSERT INTO task_questions SELECT id, $4 FROM made)
     INSERT INTO task_blockers SELECT id, $3 FROM made`,
    [organization.id, organization.id.slice(4, 14), blocker.id, question.id],
  );
  for (const { id } of [blocker, question]) {
    const refused = await tryBlock(extra.id, id);
    expectError(refused, 400, "invalid_param", "blockerId");
    expect(refused.text).toContain("At most 10000 tasks");
    expect(await blockers(extra.id)).not.toContain(id);
    await block(known.id, id);
    expectStatus(await unblock(known.id, id), 204);
    await block(extra.id, id);
  }
});

test("A task has at most 100 blockers, which are listed by pages", async ({
  api,
  db,
  key,
  organization,
}) => {
  const { task } = leaseClient(api, key);
  const { tryBlock, block } = finishClient(api, key);
  const { id } = await task();
  const [extra, known] = [await task(), await task()];
  await block(id, known.id);
  await db.query(
    `WITH made AS (
       INSERT INTO tasks (id, organization_id, name)
       SELECT 'tsk_b' || $2 || n, $1, 'Blocker' FROM generate_series(1, 99) AS n RETURNING id)
     INSERT INTO task_blockers SELECT $3, id FROM made`,
    [organization.id, organization.id.slice(4, 14), id],
  );
  expectError(await tryBlock(id, extra.id), 400, "invalid_param", "blockerId");
  await block(id, known.id);
  const page = await api("GET", `/api/tasks/${id}/blockers`, { key, query: { limit: 60 } });
  expect(page.body.data).toHaveLength(60);
  const after = page.body.next_cursor ?? "";
  const rest = await api("GET", `/api/tasks/${id}/blockers`, { key, query: { limit: 60, after } });
  expect(rest.body.data).toHaveLength(40);
  expect(rest.body.has_more).toBe(false);
});
