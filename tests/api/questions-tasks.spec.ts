import { finishClient } from "../support/blockers";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { leaseClient } from "../support/leases";
import { whileUncommitted } from "../support/locks";
import { APPROVE, ask } from "../support/questions";

/** Questions about tasks, and tasks that wait for an answer. */

const TEXT = { prompt: "What shall we call it?", kind: "text" };

test("lease-next skips a task until its questions are answered, and approved where that is asked", async ({
  api,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const { block, blockers, listed } = finishClient(api, key);
  const { id } = await task({ priority: "critical" });
  const [approval, text, denied] = [
    await ask(api, key),
    await ask(api, key, TEXT),
    await ask(api, key),
  ];
  for (const { id: by } of [approval, text, denied, text]) await block(id, by);
  expect(await blockers(id)).toEqual([denied.id, text.id, approval.id]);
  const blocked = async () => (await listed({ blocked: "true" })).map((one) => one.id);
  expect(await blocked()).toEqual([id]);
  expect((await next()).task).toBeNull();
  expectStatus(await text.answer("Ada"), 200);
  expectStatus(await denied.answer("deny"), 200);
  expectStatus(await approval.answer("approve"), 200);
  expect(await blocked()).toEqual([id]);
  expect((await next()).task).toBeNull();
  // A no is final: the one who asked decides what becomes of the task.
  expectStatus(await api("DELETE", `/api/tasks/${id}/blockers/${denied.id}`, { key }), 204);
  expect(await blocked()).toEqual([]);
  expect((await next()).task?.id).toBe(id);
});

test("A question that expires or is withdrawn keeps its task waiting, and one that is deleted frees it", async ({
  api,
  db,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const { block } = finishClient(api, key);
  const { id } = await task();
  const [expired, withdrawn] = [await ask(api, key), await ask(api, key)];
  for (const { id: by } of [expired, withdrawn]) await block(id, by);
  await db.query("UPDATE questions SET expires_at = 0 WHERE id = $1", [expired.id]);
  expectStatus(await api("POST", `${withdrawn.path}/withdraw`, { key }), 200);
  expect((await next()).task).toBeNull();
  expectStatus(await api("DELETE", expired.path, { key }), 204);
  expect((await next()).task).toBeNull();
  expectStatus(await api("DELETE", withdrawn.path, { key }), 204);
  expect((await next()).task?.id).toBe(id);
});

test("A task is freed by an answer that comes while their link is being written", async ({
  api,
  db,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const { id } = await task();
  const question = await ask(api, key);
  const answered = await whileUncommitted(
    db,
    [`INSERT INTO task_questions VALUES ('${id}', '${question.id}')`],
    "UPDATE questions SET state = 'answered'",
    () => question.answer("approve"),
  );
  expectStatus(answered, 200);
  expect((await next()).task?.id).toBe(id);
});

test("Tasks and questions that block a task are one list with pages", async ({ api, key }) => {
  const { task } = leaseClient(api, key);
  const { block } = finishClient(api, key);
  const { id } = await task();
  const by = [await task(), await task(), await ask(api, key), await ask(api, key)];
  for (const blocker of by) await block(id, blocker.id);
  const wanted = [by[1], by[0], by[3], by[2]].map((one) => one?.id);
  for (const limit of [1, 2, 3, 4]) {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const query = { limit, include: "total_count", ...(after && { after }) };
      const page = await api("GET", `/api/tasks/${id}/blockers`, { key, query });
      expectStatus(page, 200);
      expect(page.body.total_count).toBe(4);
      found.push(...page.body.data.map((one) => one.id));
      after = page.body.next_cursor ?? undefined;
      expect(page.body.has_more).toBe(found.length < 4);
    } while (after !== undefined);
    expect(found).toEqual(wanted);
  }
});

test("Only resources of one owner refer to each other", async ({ api, key, otherOrganization }) => {
  const own = await leaseClient(api, key).task();
  const [open, foreign] = [
    await leaseClient(api).task(),
    await leaseClient(api, otherOrganization.key).task(),
  ];
  const { tryBlock } = finishClient(api, key);
  const [theirs, everyones] = [await ask(api, otherOrganization.key), await ask(api, undefined)];
  expectError(await tryBlock(own.id, theirs.id), 403, "forbidden");
  expectError(await tryBlock(own.id, everyones.id), 400, "invalid_param", "blockerId");
  expectError(await tryBlock(own.id, "qst_0"), 404, "resource_not_found");
  const content = { name: "Report", content: "# Report" };
  const documents = await Promise.all(
    [key, undefined, otherOrganization.key].map(async (caller) => {
      const { body } = await api("POST", "/api/artifacts", { key: caller, body: content });
      return body;
    }),
  );
  await eachOf(
    [
      ["a public task", { task_id: open.id }, 400, "task_id"],
      ["a task of others", { task_id: foreign.id }, 403, "task_id"],
      ["an unknown task", { task_id: "tsk_0" }, 404, "task_id"],
      ["a public document", { artifact_id: documents[1]?.id }, 400, "artifact_id"],
      ["a document of others", { artifact_id: documents[2]?.id }, 403, "artifact_id"],
      ["a task as a document", { artifact_id: own.id }, 404, "artifact_id"],
    ] as const,
    async ([, about, status, param]) => {
      const body = { ...APPROVE, ...about };
      for (const response of [
        await api("POST", "/api/questions", { key, body }),
        await api("PUT", "/api/questions/external/new", { key, body }),
      ]) {
        expectStatus(response, status);
        expect(response.body.error.param).toBe(param);
      }
    },
  );
  const about = { task_id: own.id, artifact_id: documents[0]?.id };
  const question = await ask(api, key, { ...APPROVE, ...about });
  expect(question).toMatchObject(about);
  const body = { ...APPROVE, ...about };
  const upserted = await api("PUT", "/api/questions/external/own", { key, body });
  expectStatus(upserted, 201);
  expect(upserted.body).toMatchObject(about);
});
