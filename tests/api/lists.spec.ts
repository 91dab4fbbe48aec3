import { isList } from "@/lib/api/export";
import { kinds } from "@/lib/resources/kinds";
import { insertTasks, makeOrganization } from "../support/accounts";
import { eachOf, expectError, expectStatus, missing } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, CallOptions } from "../support/http";
import { everyOperation, examplePath, titleOf } from "../support/operations";
import { makeSchedule } from "../support/schedules";

/** Lists: order, filters and pages. */

test("A list has what the organization owns, newest first and by pages, even after changes", async ({
  api,
  key,
  otherOrganization,
}) => {
  await eachOf(
    kinds.map((kind) => [kind.name, kind] as const),
    async ([name, { first, onSingleReads = [] }]) => {
      const path = `/api/${name}`;
      const create = async (external_id: string, owner?: string) =>
        (await api("POST", path, { key: owner, body: { ...first.body, external_id } })).body.id;
      const list = async (query: CallOptions["query"]) => {
        const { body } = await api("GET", path, { key, query });
        return { ...body, ids: body.data.map(({ id }) => id) };
      };
      for (const owner of [undefined, otherOrganization.key]) await create("a", owner);
      const made = [await create("a", key), await create("b", key), await create("a", key)];
      expect(made).toEqual(made.toSorted());
      const changes: Record<string, object> = {
        messages: { method: "PUT" },
        questions: { context: "Changed" },
      };
      const change = changes[name] ?? { name: "Changed" };
      expectStatus(await api("PATCH", `${path}/${made[0]}`, { key, body: change }), 200);
      const ids = made.toReversed();
      const page = await list({ limit: 2, include: "total_count" });
      expect(page).toMatchObject({ has_more: true, next_cursor: ids[1], total_count: 3 });
      expect(page.ids).toEqual(ids.slice(0, 2));
      for (const field of onSingleReads) expect(page.data[0]).not.toHaveProperty(field);
      expect((await list({ limit: 2, after: ids[1] })).ids).toEqual(ids.slice(2));
      expect((await list({ external_id: "a" })).ids).toEqual([ids[0], ids[2]]);
    },
  );
});

/** A change has no ID, and a blocker is a task or a question. */
const OWN_PREFIXES: Record<string, number> = {
  "/api/changes": 0,
  "/api/changes/stream": 0,
  "/api/tasks/{id}/blockers": 2,
};

test("Without a key every list is empty, but the feed needs one", async ({ api }) => {
  const { id } = (await api("POST", "/api/webhooks", { body: { name: "x" } })).body;
  const lists = everyOperation.filter(isList).map(({ path }) => path);
  for (const path of [
    ...lists.filter((one) => !one.includes("{")),
    `/api/webhooks/${id}/replays`,
  ]) {
    const response = await api("GET", path);
    if (path === "/api/changes") expectError(response, 401, "unauthorized");
    else expect(response.body, path).toMatchObject({ object: "list", data: [] });
  }
});

test("Every list accepts only cursors of its own kind", async ({ api, key }) => {
  const ofResources = kinds.flatMap(({ prefix, parts }) => [
    prefix,
    ...parts.flatMap((part) => part.prefix ?? []),
  ]);
  const prefixes = [...ofResources, "note", "wrp", "sub", "key", "lse", "req"];
  const malformed = ["0", "TSK_0", " tsk_0", "tsk", "tsk-0", "tsk_\0"];
  const lists = everyOperation.filter(({ query }) => query?.shape.after);
  await eachOf(
    lists.map((operation) => [titleOf(operation), operation] as const),
    async ([_title, { method, path }]) => {
      const read = (after: string) => api(method, examplePath(path), { key, query: { after } });
      const refused: string[] = [];
      for (const prefix of prefixes) {
        const response = await read(`${prefix}_0`);
        if (response.status !== 400) continue;
        expectError(response, 400, "invalid_param", "after");
        refused.push(prefix);
      }
      const own = OWN_PREFIXES[path] ?? 1;
      expect(refused).toHaveLength(prefixes.length - own);
      for (const after of malformed) expectError(await read(after), 400, "invalid_param", "after");
    },
  );
});

test.describe("limit", () => {
  test("A page has twenty items by default, or as many as limit", async ({
    api,
    db,
    organization,
    key,
  }) => {
    const ids = (await insertTasks(db, organization.id, 130)).reverse();
    for (const [query, size] of [
      [{}, 20],
      [{ limit: 1 }, 1],
      [{ limit: 7 }, 7],
      [{ limit: 100 }, 100],
    ] as const) {
      const page = await api("GET", "/api/tasks", { key, query });
      expect(page.body.data.map(({ id }) => id)).toEqual(ids.slice(0, size));
      expect(page.body.has_more).toBe(true);
      expect(page.body.next_cursor).toBe(ids[size - 1]);
    }
  });

  test("An integer outside 1 to 100 is clamped", async ({ api, db, organization, key }) => {
    await insertTasks(db, organization.id, 130);
    for (const [limit, size] of [
      ["0", 1],
      ["-5", 1],
      ["101", 100],
      ["1000", 100],
      ["-99999999999999999999", 1],
      ["99999999999999999999", 100],
    ] as const) {
      const page = await api("GET", "/api/tasks", { key, query: { limit } });
      expect(page.status, limit).toBe(200);
      expect(page.body.data.length, limit).toBe(size);
    }
  });

  test("A limit that is not an integer is 400 invalid_param, anonymous or not", async ({
    api,
    key: own,
  }) => {
    for (const limit of ["abc", "1.5", "5x", "0x10", "NaN", "Infinity", "null", "1,2", "５"]) {
      for (const key of [undefined, own]) {
        const list = await api("GET", "/api/tasks", { key, query: { limit } });
        expectError(list, 400, "invalid_param", "limit");
      }
    }
  });

  test("An empty limit is the default, and an empty after begins at the start", async ({
    api,
    db,
    organization,
    key,
  }) => {
    const ids = (await insertTasks(db, organization.id, 21)).reverse();
    const page = await api("GET", "/api/tasks?limit=&after=", { key });
    expect(page.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expectStatus(await api("GET", "/api/changes?limit=&after=", { key }), 200);
  });

  test("A page that ends exactly at the last row has has_more false", async ({
    api,
    db,
    organization,
    key,
  }) => {
    const ids = (await insertTasks(db, organization.id, 6)).reverse();
    const all = await api("GET", "/api/tasks", { key, query: { limit: 6 } });
    expect(all.body).toMatchObject({ has_more: false, next_cursor: null });
    const first = await api("GET", "/api/tasks", { key, query: { limit: 3 } });
    expect(first.body).toMatchObject({ has_more: true, next_cursor: ids[2] });
    const query = { limit: 3, after: ids[2] ?? missing() };
    const second = await api("GET", "/api/tasks", { key, query });
    expect(second.body.data.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
  });
});

test.describe("after", () => {
  test("A page continues after the row of its cursor, even when the row is gone", async ({
    api,
    db,
    organization,
    key,
  }) => {
    const ids = (await insertTasks(db, organization.id, 6)).reverse();
    const after = ids[2] ?? missing();
    const page = async () =>
      (await api("GET", "/api/tasks", { key, query: { after } })).body.data.map(({ id }) => id);
    expect(await page()).toEqual(ids.slice(3));
    expectStatus(await api("DELETE", `/api/tasks/${after}`, { key }), 204);
    expect(await page()).toEqual(ids.slice(3));
  });

  test("After the last row the page is empty", async ({ api, db, organization, key }) => {
    const [oldest] = await insertTasks(db, organization.id, 3);
    const query = { after: oldest ?? missing() };
    const page = await api("GET", "/api/tasks", { key, query });
    expect(page.body).toEqual({ object: "list", data: [], has_more: false, next_cursor: null });
  });

  test("Another organization's ID is a valid position and reveals nothing", async ({
    api,
    db,
    key,
    otherOrganization,
  }) => {
    const own = [(await api("POST", "/api/tasks", { key, body: { name: "1" } })).body.id];
    const foreign = await api("POST", "/api/tasks", {
      key: otherOrganization.key,
      body: { name: "2" },
    });
    await api("POST", "/api/tasks", { key, body: { name: "3" } });
    const query = { after: foreign.body.id };
    const page = await api("GET", "/api/tasks", { key, query });
    expect(page.body.data.map(({ id }) => id)).toEqual(own);
    await db.query("DELETE FROM tasks WHERE id = $1", [foreign.body.id]);
  });

  test("An ID that never existed is a valid position", async ({ api, db, organization, key }) => {
    const ids = (await insertTasks(db, organization.id, 3)).reverse();
    const highest = await api("GET", "/api/tasks", {
      key,
      query: { after: `tsk_${"z".repeat(25)}` },
    });
    expect(highest.body.data.map(({ id }) => id)).toEqual(ids);
    const lowest = await api("GET", "/api/tasks", {
      key,
      query: { after: `tsk_${"0".repeat(25)}` },
    });
    expect(lowest.body.data).toEqual([]);
  });
});

test.describe("Filters", () => {
  test("external_id matches exactly, and finds every task that has it", async ({ api, key }) => {
    const make = (name: string, external_id: string | null) =>
      api("POST", "/api/tasks", { key, body: { name, external_id } });
    await make("first", "order-7");
    await make("second", "order-7");
    await make("longer", "order-77");
    await make("case", "ORDER-7");
    await make("without", null);
    const names = (external_id: string) => listNames(api, key, { external_id });
    expect(await names("order-7")).toEqual(["second", "first"]);
    expect(await names("order-77")).toEqual(["longer"]);
    expect(await names("order-%")).toEqual([]);
    expect(await names("null")).toEqual([]);
  });

  test("Filters combine with each other and with pages", async ({ api, key }) => {
    for (let i = 0; i < 12; i += 1) {
      const body = {
        name: `${i}`,
        labels: i % 2 ? ["odd"] : [],
        external_id: i % 3 ? null : "third",
      };
      await api("POST", "/api/tasks", { key, body });
    }
    const names = (query: CallOptions["query"]) => listNames(api, key, query);
    expect(await names({ label: "odd", external_id: "third" })).toEqual(["9", "3"]);
    expect(await names({ label: "odd", limit: 4 })).toEqual(["11", "9", "7", "5"]);
    const page = await api("GET", "/api/tasks", { key, query: { label: "odd", limit: 4 } });
    const after = page.body.next_cursor ?? missing();
    expect(await names({ label: "odd", limit: 4, after })).toEqual(["3", "1"]);
  });

  test("Near misses of a query parameter's name are unknown, with a key or without", async ({
    api,
    key: own,
  }) => {
    for (const name of ["page", "organization_id", "Limit", "label[]", "constructor", ""]) {
      const path = `/api/tasks?limit=5&${encodeURIComponent(name)}=1`;
      for (const key of [undefined, own]) {
        expectError(await api("GET", path, { key }), 400, "unknown_param", name);
      }
    }
  });

  test("The first problem in the order of the query is reported", async ({ api }) => {
    const response = (search: string) => api("GET", `/api/tasks?${search}`);
    expectError(await response("limit=x&status=1"), 400, "invalid_param", "limit");
    expectError(await response("status=1&limit=x"), 400, "unknown_param", "status");
    expectError(await response("b=1&a=1"), 400, "unknown_param", "b");
    expectError(await response("b=1&limit=1&limit=2"), 400, "unknown_param", "b");
  });

  test("A second value of a parameter that takes one is refused, not ignored", async ({ api }) => {
    for (const [path, param] of [
      ["/api/messages?status=failed&status=canceled", "status"],
      ["/api/tasks?limit=1&limit=2&limit=3", "limit"],
      ["/api/tasks?external_id=a&external_id=b", "external_id"],
      ["/api/inboxes?after=inbox_a&after=inbox_b", "after"],
    ] as const) {
      const response = await api("GET", path);
      expectError(response, 400, "invalid_param", param);
      expect(response.body.error.message).toContain("more than once");
    }
    expectStatus(await api("GET", "/api/tasks?limit=2&limit=2&after=&label=a&label=b"), 200);
  });
});

test.describe("total_count", () => {
  test("total_count is returned only on request", async ({ api, db, organization, key }) => {
    await insertTasks(db, organization.id, 25);
    const plain = await api("GET", "/api/tasks", { key });
    expect(Object.keys(plain.body)).not.toContain("total_count");
    const counted = await api("GET", "/api/tasks", { key, query: { include: "total_count" } });
    expect(counted.body.total_count).toBe(25);
    expect(counted.body.data).toHaveLength(20);
    const anonymous = await api("GET", "/api/tasks", { query: { include: "total_count" } });
    expect(anonymous.body.total_count).toBe(0);
    const wrong = await api("GET", "/api/tasks", { query: { include: "count" } });
    expectError(wrong, 400, "invalid_param", "include");
    expect(wrong.body.error.message).toBe('"include" must be "total_count".');
    expectStatus(await api("GET", "/api/tasks", { query: { include: "" } }), 200);
  });

  test("total_count counts all matches of the filters, on every page", async ({ api, key }) => {
    for (let i = 0; i < 9; i += 1) {
      await api("POST", "/api/tasks", { key, body: { name: `${i}`, labels: i < 5 ? ["l"] : [] } });
    }
    const query = { include: "total_count", label: "l", limit: 2 };
    const first = await api("GET", "/api/tasks", { key, query });
    expect(first.body.total_count).toBe(5);
    const second = await api("GET", "/api/tasks", {
      key,
      query: { ...query, after: first.body.next_cursor ?? missing() },
    });
    expect(second.body.total_count).toBe(5);
  });
});

test("Paging during inserts and deletes shows every surviving row exactly once", async ({
  api,
  db,
}) => {
  const organization = await makeOrganization(db);
  const key = organization.key;
  const initial = (await insertTasks(db, organization.id, 90)).reverse();
  const seen: string[] = [];
  const deleted = new Set<string>();
  let after: string | null = null;
  for (let turn = 0; ; turn += 1) {
    const query: Record<string, string | number> = after ? { limit: 7, after } : { limit: 7 };
    const page = await api("GET", "/api/tasks", { key, query });
    expectStatus(page, 200);
    seen.push(...page.body.data.map(({ id }) => id));
    if (!page.body.has_more) break;
    after = page.body.next_cursor;
    // Before the next page: delete the cursor's row, one read and two unread; insert two.
    const unread = initial.filter((id) => !seen.includes(id) && !deleted.has(id));
    const victims = [after, seen[turn * 3], unread[0], unread[4]].filter(
      (id) => typeof id === "string",
    );
    await Promise.all([
      ...victims.map((id) => api("DELETE", `/api/tasks/${id}`, { key })),
      ...[1, 2].map((n) => api("POST", "/api/tasks", { key, body: { name: `New ${turn}.${n}` } })),
    ]);
    for (const id of victims) deleted.add(id);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual([...seen].sort().reverse());
  const survivors = initial.filter((id) => !deleted.has(id));
  expect(seen.filter((id) => survivors.includes(id))).toEqual(survivors);
  expect(seen.filter((id) => !initial.includes(id))).toEqual([]);
});

test("A page of huge rows ends early, at 4 MB plus one row, and later pages return the rest", async ({
  api,
  key,
}) => {
  const huge = {
    "/api/tasks": { name: "x", description: "\u{1f600}".repeat(100_000) },
    "/api/messages": {
      url: "https://example.com/",
      delay_seconds: 3600,
      body: "x".repeat(400_000),
    },
  };
  for (const [path, body] of Object.entries(huge)) {
    const made: string[] = [];
    for (let i = 0; i < 14; i += 1) made.push((await api("POST", path, { key, body })).body.id);
    expect(await idsByPages(api, key, path)).toEqual(made.reverse());
  }
});

test("Pages of huge rows go on to the last for a read-only key, which sees less of each row", async ({
  api,
  organization: { key, readKey },
}) => {
  // Four are more than 4 MB, and less without the credential.
  const headers = { "x-api-key": "x".repeat(16_000) };
  const message = { url: "https://example.com/", headers, body: "x".repeat(990_000) };
  const made: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    made.push((await makeSchedule(api, key, { paused: true, target: { message } })).id);
  }
  expect(await idsByPages(api, readKey, "/api/schedules")).toEqual(made.reverse());
});

async function idsByPages(api: Api, key: string, path: string): Promise<string[]> {
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const query: Record<string, string> = after ? { after } : {};
    const page = await api("GET", path, { key, query });
    expect(page.bytes.length).toBeLessThan(4_500_000);
    expect(page.body.data.length).toBeGreaterThan(0);
    seen.push(...page.body.data.map(({ id }) => id));
    after = page.body.next_cursor;
  } while (after);
  return seen;
}

async function listNames(api: Api, key: string, query: CallOptions["query"]) {
  const list = await api("GET", "/api/tasks", { key, query });
  expectStatus(list, 200);
  return list.body.data.map(({ name }) => name);
}
