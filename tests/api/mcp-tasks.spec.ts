import { expect, test } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import { sendMessage as send, TASKS } from "../support/mcp-messages";
import { capture, makeEndpoint } from "../support/webhooks";

/** Long waits as tasks, by the extension Tasks (SEP-2663), in the messages of its text. */

const call = (name: string, args: object) => ({ name, arguments: args });

test("A wait becomes a task of a day, and any poll leases the work that has come, once", async ({
  api,
  baseUrl,
  key,
  otherOrganization,
}) => {
  const inbox = await makeInbox(api, {}, key);
  const wait = call("receive_work", { id: inbox.id, wait_seconds: 20 });
  const { result: task } = await send(baseUrl, "tools/call", wait, { key });
  expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: 86_400_000 });
  expect(Date.parse(String(task.createdAt))).toBeLessThanOrEqual(Date.now());
  const { taskId } = task;
  const poll = () => send(baseUrl, "tasks/get", { taskId }, { key });
  expect((await poll()).result).toMatchObject({
    resultType: "complete",
    status: "working",
    taskId,
  });
  const { id } = await inbox.ingest();
  await expect.poll(async () => (await poll()).result.status).toBe("completed");
  const polls = [await poll(), ...(await Promise.all([poll(), poll()]))];
  const leases = polls.map(({ result }) => result.result?.structuredContent.data);
  expect(leases[0]).toMatchObject([{ id, lease_id: expect.stringMatching(/^lse_/) }]);
  expect(leases).toEqual([leases[0], leases[0], leases[0]]);
  expect(await inbox.events()).toMatchObject([{ id, delivery_count: 1 }]);
  for (const method of ["tasks/cancel", "tasks/update"]) {
    const params = { taskId, inputResponses: {} };
    expect((await send(baseUrl, method, params, { key })).result).toMatchObject({
      resultType: "complete",
    });
  }
  for (const [unknown, by] of [
    [taskId, otherOrganization.key],
    [taskId, undefined],
    [`${taskId}x`, key],
    ["x", key],
  ] as const) {
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const { error } = await send(baseUrl, method, { taskId: unknown }, by ? { key: by } : {});
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("no task") });
    }
  }
});

test("Captures, tasks, changes, answers and the ends of messages complete the tasks that wait for them", async ({
  api,
  baseUrl,
  db,
  key,
  organization,
}) => {
  const hook = await makeEndpoint(api, { key });
  const begun = await capture(api, hook.id);
  const question = await api("POST", "/api/questions", {
    key,
    body: { prompt: "May I?", kind: "approve" },
  });
  const later = { url: "https://example.com/", delay_seconds: 3600 };
  const message = (await api("POST", "/api/messages", { key, body: later })).body;
  const waits = {
    capture: call("wait", { id: hook.id, since: begun }),
    task: call("receive_work", { holder: "one", wait_seconds: 20 }),
    change: call("wait", { kinds: ["inboxes"] }),
    answer: call("wait", { id: question.body.id }),
    end: call("get", { id: message.id, wait: 20 }),
    none: call("wait", { kinds: ["schedules"] }),
  };
  const ids: Record<string, string> = {};
  for (const [name, params] of Object.entries(waits)) {
    const { result } = await send(baseUrl, "tools/call", params, { key });
    expect(result, name).toMatchObject({ resultType: "task", status: "working" });
    ids[name] = result.taskId;
  }
  const captured = await capture(api, hook.id);
  const task = await api("POST", "/api/tasks", { key, body: { name: "Work" } });
  const inbox = await makeInbox(api, {}, key);
  await api("DELETE", `/api/questions/${question.body.id}`, { key });
  await api("POST", `/api/messages/${message.id}/cancel`, { key });
  const found = async (name: string) => {
    const { result } = await send(baseUrl, "tasks/get", { taskId: ids[name] }, { key });
    return JSON.stringify(result.result ?? result.status);
  };
  await expect.poll(() => found("capture")).toContain(captured);
  await expect.poll(() => found("task")).toContain(task.body.id);
  await expect.poll(() => found("change")).toContain(inbox.id);
  await expect.poll(() => found("end")).toContain('"status":"canceled"');
  // What is gone ends a wait as well.
  await expect.poll(() => found("answer")).toContain('"isError":true');
  expect(await found("none")).toBe('"working"');
  await db.query(
    `INSERT INTO changes (organization_id, kind, action, resource_id)
     SELECT $1, 'tasks', 'updated', $2 FROM generate_series(1, 1001)`,
    [organization.id, task.body.id],
  );
  // It reads on from there; a task could not.
  await expect.poll(() => found("none")).toContain('"has_more":true');
});

test("Who declares no tasks, asks for no wait or finds something at once gets a result", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await makeInbox(api, {}, key);
  const receive = (wait_seconds: number) => call("receive_work", { id: inbox.id, wait_seconds });
  const results = [
    await send(baseUrl, "tools/call", receive(1), { key, capabilities: {} }),
    await send(baseUrl, "tools/call", receive(0), { key }),
  ];
  await inbox.ingest();
  results.push(await send(baseUrl, "tools/call", receive(20), { key }));
  expect(results.map(({ result }) => result.resultType)).toEqual(Array(3).fill("complete"));
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    const by = { key, capabilities: {} };
    expect((await send(baseUrl, method, { taskId: "x" }, by)).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: TASKS } },
    });
  }
  const discovered = await send(baseUrl, "server/discover", {}, { key });
  expect(discovered.result.capabilities).toMatchObject({ extensions: TASKS });
});
