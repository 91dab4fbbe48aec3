import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { databaseNow } from "../support/leases";

/** The five operations on tasks. For fields see task-fields.spec.ts, for lists lists.spec.ts. */

test("A task created with only a name has defaults in all other fields", async ({
  api,
  db,
  organization,
  key,
}) => {
  const before = await databaseNow(db);
  const created = await api("POST", "/api/tasks", { key, body: { name: "Only a name" } });
  const after = await databaseNow(db);
  expectStatus(created, 201);
  expect(created.body).toEqual({
    id: expect.stringMatching(/^tsk_[0-9A-Za-z]{25}$/),
    object: "task",
    organization_id: organization.id,
    name: "Only a name",
    description: null,
    priority: "low",
    due_at: null,
    labels: [],
    external_id: null,
    created_at: created.body.created_at,
    updated_at: created.body.created_at,
  });
  expect(Number.isInteger(created.body.created_at)).toBe(true);
  expect(created.body.created_at).toBeGreaterThanOrEqual(before);
  expect(created.body.created_at).toBeLessThanOrEqual(after);
});

test("A task reads back exactly as created", async ({ api, key }) => {
  const fields = {
    name: "All fields",
    description: "Everything",
    priority: "critical",
    due_at: 1_893_456_000,
    labels: ["a", "b"],
    external_id: "ext-1",
  };
  const created = await api("POST", "/api/tasks", { key, body: fields });
  expect(created.body).toMatchObject(fields);
  const read = await api("GET", `/api/tasks/${created.body.id}`, { key });
  expectStatus(read, 200);
  expect(read.body).toEqual(created.body);
  const list = await api("GET", "/api/tasks", { key });
  expect(list.body.data).toEqual([created.body]);
});

test("An update changes only the given fields", async ({ api, key }) => {
  const fields = {
    name: "Before",
    description: "d",
    priority: "high",
    due_at: 5,
    labels: ["l"],
    external_id: "e",
  };
  const { body: task } = await api("POST", "/api/tasks", { key, body: fields });
  const CHANGES = {
    name: "After",
    description: "dd",
    priority: "critical",
    due_at: 6,
    labels: ["m", "n"],
    external_id: "ee",
  };
  for (const [field, value] of Object.entries(CHANGES)) {
    const before = await api("GET", `/api/tasks/${task.id}`, { key });
    const changed = await api("PATCH", `/api/tasks/${task.id}`, { key, body: { [field]: value } });
    expectStatus(changed, 200);
    expect(changed.body).toEqual({
      ...before.body,
      [field]: value,
      updated_at: changed.body.updated_at,
    });
    const read = await api("GET", `/api/tasks/${task.id}`, { key });
    expect(read.body).toEqual(changed.body);
  }
});

test("null clears description, due_at, external_id and labels", async ({ api, key }) => {
  const fields = { name: "x", description: "d", due_at: 5, labels: ["l"], external_id: "e" };
  const { body: task } = await api("POST", "/api/tasks", { key, body: fields });
  const body = { description: null, due_at: null, labels: null, external_id: null };
  const cleared = await api("PATCH", `/api/tasks/${task.id}`, { key, body });
  expectStatus(cleared, 200);
  expect(cleared.body).toMatchObject({
    description: null,
    due_at: null,
    labels: [],
    external_id: null,
  });
});

test("On create every optional field but labels may be null", async ({ api }) => {
  const refused = await api("POST", "/api/tasks", { body: { name: "x", labels: null } });
  expectError(refused, 400, "invalid_param", "labels");
  const body = { name: "x", description: null, due_at: null, external_id: null };
  expectStatus(await api("POST", "/api/tasks", { body }), 201);
});

test("An update sets updated_at by the database's clock and keeps created_at", async ({
  api,
  db,
  key,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  await db.query("UPDATE tasks SET created_at = 1000, updated_at = 2000 WHERE id = $1", [task.id]);
  const before = await databaseNow(db);
  const changed = await api("PATCH", `/api/tasks/${task.id}`, { key, body: { name: "y" } });
  expect(changed.body.created_at).toBe(1000);
  expect(changed.body.updated_at).toBeGreaterThanOrEqual(before);
  expect(changed.body.updated_at).toBeLessThanOrEqual(await databaseNow(db));
});

test("Of parallel deletes one is 204 and the others 404", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => api("DELETE", `/api/tasks/${task.id}`, { key })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
});
