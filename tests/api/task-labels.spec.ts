import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";

/** POST /api/tasks/{id}/labels: labels carry a task's state, with many concurrent writers. */

function labelsOf(api: Api, key?: string) {
  return {
    async task(labels: string[]) {
      const response = await api("POST", "/api/tasks", { key, body: { name: "Labelled", labels } });
      expectStatus(response, 201);
      return response.body;
    },
    change: (id: string, body: object) => api("POST", `/api/tasks/${id}/labels`, { key, body }),
    async read(id: string) {
      return api("GET", `/api/tasks/${id}`, { key });
    },
  };
}

for (const [what, path, body] of [
  ["labels", "labels", { add: ["x"] }],
  ["lease", "lease", { holder: "x" }],
] as const) {
  test(`A refused write of a task's ${what} does not wait for the owner's writes`, async ({
    api,
    db,
    organization,
    otherOrganization,
  }) => {
    const { id } = await labelsOf(api, organization.key).task([]);
    const owner = await db.connect();
    try {
      await owner.query("BEGIN");
      await owner.query("SELECT FROM tasks WHERE id = $1 FOR UPDATE", [id]);
      for (const key of [undefined, otherOrganization.key]) {
        // One that waited for the lock would be given up.
        expectError(await api("POST", `/api/tasks/${id}/${path}`, { key, body }), 403, "forbidden");
      }
    } finally {
      // Also ends the transaction after a failure.
      owner.release(true);
    }
  });
}

test("Labels are appended and removed, and the rest keep their order", async ({ api, key }) => {
  const { task, change, read } = labelsOf(api, key);
  const { id } = await task(["b", "a", "c", "b"]);
  const changed = await change(id, { add: ["z", "a", "y", "z"], remove: ["c", "unknown"] });
  expectStatus(changed, 200);
  expect(changed.body.labels).toEqual(["b", "a", "b", "z", "y"]);
  expect(changed.body).toEqual((await read(id)).body);
  expect((await change(id, { remove: ["b"] })).body.labels).toEqual(["a", "z", "y"]);
  const odd = ["__proto__", "{}", 'a"b', "NULL", "", " ", "é\u{1f600}"].filter(Boolean);
  expect((await change(id, { add: odd, remove: ["a", "y", "z"] })).body.labels).toEqual(odd);
});

test("40 parallel writers each add and remove a label, and no change is lost", async ({
  api,
  key,
}) => {
  const { task, change, read } = labelsOf(api, key);
  const names = (prefix: string) => Array.from({ length: 40 }, (_, index) => `${prefix}${index}`);
  const { id } = await task(["stays", ...names("old-")]);
  const responses = await Promise.all(
    names("new-").map((add, index) => change(id, { add: [add], remove: [`old-${index}`] })),
  );
  for (const response of responses) expectStatus(response, 200);
  expect((await read(id)).body.labels.toSorted()).toEqual(["stays", ...names("new-")].toSorted());
});

test("Only an actual change moves updated_at and the ETag", async ({ api, db, key }) => {
  const { task, change, read } = labelsOf(api, key);
  const { id } = await task(["a"]);
  await db.query("UPDATE tasks SET updated_at = 5 WHERE id = $1", [id]);
  const before = await read(id);
  for (const body of [{}, { add: ["a"] }, { remove: ["b"] }, { add: [], remove: [] }]) {
    const same = await change(id, body);
    expectStatus(same, 200);
    expect(same.text).toBe(before.text);
  }
  expect((await read(id)).headers.get("etag")).toBe(before.headers.get("etag"));
  const changed = await change(id, { add: ["b"] });
  expect(changed.body.updated_at).toBeGreaterThan(5);
  expect((await read(id)).headers.get("etag")).not.toBe(before.headers.get("etag"));
});

test("A task has at most 50 labels, and the error names the invalid one", async ({ api, key }) => {
  const { task, change, read } = labelsOf(api, key);
  const fifty = Array.from({ length: 50 }, (_, index) => String(index));
  const { id } = await task(fifty);
  const refused: Array<[body: object, code: string, param: string]> = [
    [{ add: ["one more"] }, "invalid_param", "add"],
    [{ add: [...fifty, "x"] }, "invalid_param", "add"],
    [{ add: ["x"], remove: ["y", "x"] }, "invalid_param", "remove.1"],
    [{ add: ["x".repeat(101)] }, "invalid_param", "add.0"],
    [{ add: [""] }, "invalid_param", "add.0"],
    [{ remove: ["ok", 7] }, "invalid_param", "remove.1"],
    [{ add: "x" }, "invalid_param", "add"],
    [{ add: null }, "invalid_param", "add"],
    [{ add: ["a\u0000b"] }, "invalid_param", "add.0"],
    [{ labels: ["x"] }, "unknown_param", "labels"],
  ];
  for (const [body, code, param] of refused) expectError(await change(id, body), 400, code, param);
  const over = await change(id, { add: ["x", "y"], remove: ["0"] });
  expect(over.body.error.message).toContain("at most 50 labels; this one would have 51");
  expect((await read(id)).body.labels).toEqual(fifty);
  const swapped = await change(id, { add: ["x"], remove: ["0"] });
  expect(swapped.body.labels).toEqual([...fifty.slice(1), "x"]);
});

test("A list filtered by labels follows every way to change them, page by page", async ({
  api,
  key,
  otherOrganization,
}) => {
  const { task, change } = labelsOf(api, key);
  const patch = (id: string, body: object) => api("PATCH", `/api/tasks/${id}`, { key, body });
  const kept = await task(["a", "b", "a"]);
  const removed = await task(["a", "b"]);
  const replaced = await task(["a", "b"]);
  const done = await task(["a", "in-progress"]);
  const deleted = await task(["a", "b"]);
  const { body: claimed } = await api("POST", "/api/tasks", {
    body: { name: "Public", labels: ["a", "b"] },
  });
  const added = await task([]);
  await labelsOf(api, otherOrganization.key).task(["a", "b"]);

  for (const response of [
    await change(removed.id, { remove: ["b"] }),
    await patch(replaced.id, { labels: ["b", "c"] }),
    await api("POST", `/api/tasks/${done.id}/complete`, { key, body: {} }),
    await api("POST", `/api/claim/${claimed.id}`, {
      key,
      body: { claim_token: claimed.claim_token },
    }),
    await change(added.id, { add: ["b", "a"] }),
    await patch(kept.id, { labels: null }),
    await patch(kept.id, { labels: ["b", "a"] }),
  ]) {
    expect(response.status, response.text).toBeLessThan(300);
  }
  expectStatus(await api("DELETE", `/api/tasks/${deleted.id}`, { key }), 204);

  const expected: Record<string, { id: string }[]> = {
    "label=a": [added, claimed, done, removed, kept],
    "label=b": [added, claimed, replaced, kept],
    "label=a&label=b": [added, claimed, kept],
    "label=a&label=a": [added, claimed, done, removed, kept],
    "label=a,b": [],
    "label=b&label=c": [replaced],
    "label=b&not_label=a": [replaced],
    "label=done": [done],
    "label=in-progress": [],
    "label=a&label=none": [],
    "label=A": [],
  };
  for (const [filter, tasks] of Object.entries(expected)) {
    const ids: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const cursor: string = after && `&after=${after}`;
      const path = `/api/tasks?${filter}&limit=2&include=total_count${cursor}`;
      const { body } = await api("GET", path, { key });
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      expect(body.total_count, path).toBe(tasks.length);
      after = body.next_cursor;
    }
    expect(ids, filter).toEqual(tasks.map(({ id }) => id));
  }
});
