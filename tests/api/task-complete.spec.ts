import { makeKey } from "../support/accounts";
import { finishClient } from "../support/blockers";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { elapseLeases, leaseClient } from "../support/leases";
import { whileLocked } from "../support/locks";

test("Completing adds done, removes in-progress, releases the lease and adds the note", async ({
  api,
  key,
}) => {
  const { task, take, held } = leaseClient(api, key);
  const { complete, notes } = finishClient(api, key);
  const { id } = await task({ labels: ["a", "in-progress", "b"] });
  const { lease_id } = await take(id);
  const completed = await complete(id, { lease_id, note: "Published" });
  expectStatus(completed, 200);
  expect(completed.body.labels).toEqual(["a", "b", "done"]);
  expect(completed.body).toEqual((await api("GET", `/api/tasks/${id}`, { key })).body);
  expectError(await held(id), 404, "resource_not_found");
  expect((await notes(id)).map(({ body }) => body)).toEqual(["Published"]);
});

test("A completion may be repeated: one note, one revision", async ({ api, key }) => {
  const { task, take } = leaseClient(api, key);
  const { complete, notes } = finishClient(api, key);
  for (const leased of [true, false]) {
    const { id } = await task();
    const lease = leased ? { lease_id: (await take(id)).lease_id } : {};
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => complete(id, { ...lease, note: "Published" })),
    );
    for (const response of responses) {
      expectStatus(response, 200);
      expect(response.body).toEqual(responses[0]?.body);
    }
    const tag = (await api("GET", `/api/tasks/${id}`, { key })).headers.get("etag");
    expectStatus(await complete(id, { ...lease, note: "Published" }), 200);
    expect((await api("GET", `/api/tasks/${id}`, { key })).headers.get("etag")).toBe(tag);
    expect(await notes(id)).toHaveLength(1);
    // Another note is not a repeat, and nothing of it is lost. Both may be repeated afterwards.
    for (const note of ["And announced", "Published", "And announced"]) {
      expectStatus(await complete(id, { ...lease, note }), 200);
    }
    expect((await notes(id)).map(({ body }) => body)).toEqual(["And announced", "Published"]);
  }
});

test("The same note under a later lease or of another key is not a repeat", async ({
  api,
  db,
  organization,
}) => {
  const { task, take } = leaseClient(api, organization.key);
  const { complete, notes } = finishClient(api, organization.key);
  const other = finishClient(api, await makeKey(db, organization.id));
  const { id } = await task();
  for (const count of [1, 2]) {
    const { lease_id } = await take(id);
    expectStatus(await complete(id, { lease_id, note: "Published" }), 200);
    expect(await notes(id)).toHaveLength(count);
  }
  expectStatus(await other.complete(id, { note: "Published" }), 200);
  expect(await notes(id)).toHaveLength(3);
});

test("Completions that waited for the task together add their note once", async ({
  api,
  db,
  key,
}) => {
  const { task } = leaseClient(api, key);
  const { complete, notes } = finishClient(api, key);
  const { id } = await task();
  const send = () => complete(id, { note: "Published" });
  const responses = await whileLocked(db, { table: "tasks", id }, send, send);
  for (const response of responses) expectStatus(response, 200);
  expect(await notes(id)).toHaveLength(1);
});

test("A task that is done again gets the same note again, whatever labels it `done`", async ({
  api,
  key,
}) => {
  const { task } = leaseClient(api, key);
  const { complete, notes } = finishClient(api, key);
  const { id } = await task();
  const label = (body: object) => api("POST", `/api/tasks/${id}/labels`, { key, body });
  const again = [
    () => Promise.resolve(),
    () => complete(id),
    () => label({ add: ["done"] }),
    () => api("PATCH", `/api/tasks/${id}`, { key, body: { labels: ["done"] } }),
  ];
  await complete(id, { note: "Published" });
  for (const [count, finish] of again.entries()) {
    await label({ remove: ["done"] });
    await finish();
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expectStatus(await complete(id, { note: "Published" }), 200);
    }
    expect(await notes(id)).toHaveLength(count + 2);
  }
});

test("A lease that is over completes nothing: lease_lost, and no note", async ({
  api,
  db,
  key,
}) => {
  const { task, take, held, release } = leaseClient(api, key);
  const { complete, notes } = finishClient(api, key);
  const { id } = await task();
  const first = await take(id);
  await elapseLeases(db, [id], 3600);
  const second = await take(id, { holder: "second" });
  const late = await complete(id, { lease_id: first.lease_id, note: "Late" });
  expectError(late, 409, "lease_lost", "lease_id");
  expect(late.body.error.message).toContain('"second"');
  expectStatus(await held(id), 200);
  expect(await notes(id)).toEqual([]);
  await release(id, second.lease_id);
  expectError(await complete(id, { lease_id: second.lease_id }), 409, "lease_lost", "lease_id");
  expectError(await complete(id, { lease_id: "" }), 409, "lease_lost", "lease_id");
});

test("An expired lease still completes while nobody else has taken the task", async ({
  api,
  db,
  key,
}) => {
  const { task, take } = leaseClient(api, key);
  const { id } = await task();
  const { lease_id } = await take(id);
  await elapseLeases(db, [id], 3600);
  expectStatus(await finishClient(api, key).complete(id, { lease_id }), 200);
});

test("Without a lease_id, any caller with write access completes the task, even if another holds it", async ({
  api,
}) => {
  const { task, take, held } = leaseClient(api);
  const { id } = await task();
  const { lease_id } = await take(id);
  expectStatus(await api("POST", `/api/tasks/${id}/complete`), 200);
  expectError(await held(id), 404, "resource_not_found");
  // To the holder this is its own completion.
  expectStatus(await finishClient(api).complete(id, { lease_id }), 200);
});

test("A completion that would break a limit changes nothing", async ({ api, db, key }) => {
  const { task, take, held } = leaseClient(api, key);
  const { complete } = finishClient(api, key);
  const labels = Array.from({ length: 50 }, (_, index) => `label-${index}`);
  const full = await task({ labels });
  await take(full.id);
  expectError(await complete(full.id), 400, "invalid_param");
  expectStatus(await held(full.id), 200);
  const swapped = await task({ labels: [...labels.slice(1), "in-progress"] });
  expect((await complete(swapped.id)).body.labels).toHaveLength(50);
  const noted = await task();
  await db.query("UPDATE tasks SET note_count = 1000 WHERE id = $1", [noted.id]);
  expectError(await complete(noted.id, { note: "x" }), 400, "invalid_param", "note");
  expectStatus(await complete(noted.id), 200);
});

test("Bad completions and notes are refused by name", async ({ api, key }) => {
  const { id } = await leaseClient(api, key).task();
  const { complete, addNote } = finishClient(api, key);
  for (const [body, param] of [
    [{ note: "" }, "note"],
    [{ note: "x".repeat(10_001) }, "note"],
    [{ note: "a\0b" }, "note"],
    [{ note: null }, "note"],
    [{ lease_id: 7 }, "lease_id"],
  ] as const) {
    expectError(await complete(id, body), 400, "invalid_param", param);
  }
  for (const body of ["", "x".repeat(10_001), "a\0b", "\ud800", 7, null, ["x"]]) {
    expectError(await addNote(id, body), 400, "invalid_param", "body");
  }
  const refused = await api("POST", `/api/tasks/${id}/notes`, { key, body: {} });
  expectError(refused, 400, "missing_required_param", "body");
});

test("Notes are listed newest first with their author and their exact text", async ({
  api,
  organization,
  rows,
}) => {
  const { key, readKey } = organization;
  const { id } = await leaseClient(api, key).task();
  const { addNote, notes } = finishClient(api, key);
  const texts = ["first", " <script>alert(1)</script>\r\n", "𝕏".repeat(10_000)];
  for (const text of texts) {
    const added = await addNote(id, text);
    expectStatus(added, 200);
    expect(added.body).toEqual((await notes(id))[0]);
  }
  const keys = await rows.apiKey.findMany({ where: { organization_id: organization.id } });
  const names = keys.map(({ name }) => name);
  const listed = await notes(id);
  expect(listed.map(({ body }) => body)).toEqual(texts.toReversed());
  for (const note of listed) {
    expect(note).toEqual({
      id: expect.stringMatching(/^note_[0-9A-Za-z]{25}$/),
      object: "task_note",
      task_id: id,
      author: expect.any(String),
      body: expect.any(String),
      created_at: expect.any(Number),
    });
    expect(names).toContain(note.author);
  }
  expect((await finishClient(api, readKey).notes(id)).length).toBe(3);
  // Nothing changes or deletes a note.
  const path = `/api/tasks/${id}/notes`;
  expectError(await api("DELETE", path, { key }), 405, "method_not_allowed");
  expectError(await api("PATCH", path, { key, body: {} }), 405, "method_not_allowed");
});

test("A note on a public task names nobody", async ({ api, key }) => {
  const { id } = await leaseClient(api).task();
  await finishClient(api, key).addNote(id, "With a key");
  await finishClient(api).addNote(id, "Without one");
  expect((await finishClient(api).notes(id)).map(({ author }) => author)).toEqual([null, null]);
});

test("Of 30 notes added together as many are stored as there is room for", async ({
  api,
  db,
  key,
}) => {
  const { id } = await leaseClient(api, key).task();
  const { addNote, notes } = finishClient(api, key);
  await db.query("UPDATE tasks SET note_count = 990 WHERE id = $1", [id]);
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) => addNote(id, `Note ${n}`)),
  );
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(20);
  for (const response of refused) expectError(response, 400, "invalid_param", "body");
  expect(await notes(id)).toHaveLength(10);
});
