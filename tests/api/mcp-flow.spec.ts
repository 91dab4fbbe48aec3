import { createHmac } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { expect } from "../support/fixtures";
import { call } from "../support/http";
import { callTool, failTool, type Structured, test } from "../support/mcp";

/** The items of a list. */
function items({ data }: Structured): Structured[] {
  return Array.isArray(data) ? data : [];
}

async function receive(client: Client, inboxId: string): Promise<Structured | undefined> {
  const args = { id: inboxId, wait_seconds: 20 };
  return items(await callTool(client, "receive_work", args))[0];
}

test("A signed push becomes a report, and one claim moves everything, with tools alone", async ({
  baseUrl,
  connect,
  key,
}) => {
  const client = await connect();
  const hook = await callTool(client, "create_webhook", { name: "Pushes" });
  const claim_with = hook.claim_token;
  const inbox = await callTool(client, "create_inbox", { name: "Verified", claim_with });
  const setUp = (args: object) => callTool(client, "set_up_webhook", { id: hook.id, ...args });
  const verified = await setUp({ scheme: "github", secret: "Shared" });
  expect(verified).toMatchObject({ object: "webhook_verification", scheme: "github" });
  expect(JSON.stringify(verified)).not.toContain("Shared");
  const forward = { inbox_id: inbox.id, match: { "x-github-event": "push" }, scheme: null };
  expect(await setUp(forward)).toMatchObject({ inbox_id: inbox.id });

  const raw = '{"ref":"refs/heads/main"}';
  const signature = createHmac("sha256", "Shared").update(raw).digest("hex");
  for (const signed of ["00", signature]) {
    const headers = { "x-github-event": "push", "x-hub-signature-256": `sha256=${signed}` };
    await call(baseUrl, "POST", new URL(String(hook.url)).pathname, { raw, headers });
  }
  const event = await receive(client, inbox.id);
  expect(event).toMatchObject({ body: raw });
  expect(await receiveNow(client, inbox.id)).toEqual([]);

  const task = await callTool(client, "create_task", { name: "Report", claim_with });
  const document = { name: "Push", content: "# Push", claim_with };
  const report = await callTool(client, "publish_artifact", document);
  await callTool(client, "complete_task", { id: task.id, note: report.share_url });
  const acks = [{ event_id: event?.id, lease_id: event?.lease_id }];
  const finished = await callTool(client, "finish_work", { id: inbox.id, acks });
  expect(finished.acks).toMatchObject([{ outcome: "acknowledged" }]);

  expect(await setUp({ stop: "forwarding" })).toEqual({});
  expect(await setUp({ stop: "verifying" })).toEqual({});
  const owner = await connect({ key });
  const listed = await callTool(owner, "claim", { claim_token: claim_with, dry_run: true });
  const claimed = await callTool(owner, "claim", { claim_token: claim_with });
  expect(listed).toMatchObject({ dry_run: true, data: claimed.data });
  expect(items(claimed).map(({ id }) => id)).toEqual([hook.id, inbox.id, task.id, report.id]);
  const changes = items(await callTool(owner, "list", { kind: "changes", wait: 20 }));
  expect(changes).toContainEqual(
    expect.objectContaining({ action: "claimed", resource_id: hook.id }),
  );
});

async function receiveNow(client: Client, inboxId: string) {
  return items(await callTool(client, "receive_work", { id: inboxId }));
}

test("A schedule is created, listed, run, paused and deleted with tools", async ({
  connect,
  key,
}) => {
  const client = await connect({ key });
  const target = { task: { name: "Write the daily report" } };
  const args = { cron: "0 9 * * MON-FRI", timezone: "Europe/Berlin", target };
  const { id } = await callTool(client, "create_schedule", args);
  const listed = items(await callTool(client, "list", { kind: "schedules" }));
  expect(listed).toMatchObject([{ id, ...args, paused: false }]);
  expect(listed[0]?.next_runs).toHaveLength(5);
  const run = await callTool(client, "run_now", { id });
  expect(await callTool(client, "get", { id: run.resource_id })).toMatchObject(target.task);
  expect(await callTool(client, "update", { id, paused: true })).toMatchObject({ next_runs: [] });
  expect(await callTool(client, "get", { id })).toMatchObject({ paused: true });
  const { id: inbox_id } = await callTool(client, "create_inbox", { name: "Daily" });
  const inbox_event = { inbox_id, body: "x".repeat(30_000) };
  const cut = await callTool(client, "update", { id, target: { inbox_event } });
  expect(cut).toMatchObject({ target: { inbox_event: null }, cut: expect.any(Array) });
  expect(await callTool(client, "get", { id })).toMatchObject({ target: expect.any(Object) });
  const made = await callTool(client, "create_schedule", { ...args, target: { inbox_event } });
  expect(made).toMatchObject({ target: expect.any(Object), cut: expect.any(Array) });
  expect(await callTool(client, "delete", { id })).toEqual({});
  expect(await failTool(client, "get", { id })).toMatchObject({ code: "resource_not_found" });
});

test("An agent asks a person, waits for the answer, and changes and withdraws a question with tools", async ({
  api,
  connect,
  key,
}) => {
  for (const client of [await connect({ key }), await connect()]) {
    const asked = { prompt: "Deploy version 2?", kind: "approve" };
    const { id, answer_url } = await callTool(client, "ask_person", asked);
    expect(await callTool(client, "update", { id, prompt: "Deploy version 3?" })).toMatchObject({
      prompt: "Deploy version 3?",
    });
    const waiting = callTool(client, "wait", { id });
    const answer_token = new URL(String(answer_url)).hash.slice(1);
    const body = { answer: "approve", answer_token };
    expect((await api("POST", `/api/questions/${id}/answer`, { body })).status).toBe(200);
    expect(await waiting).toMatchObject({ state: "answered", answer: "approve" });
    const other = await callTool(client, "ask_person", asked);
    const stopped = await callTool(client, "update", { id: other.id, stop: "asking" });
    expect(stopped).toMatchObject({ state: "withdrawn" });
  }
});

test("A subscription to completed tasks is made, read, listed and deleted with tools, and tasks block each other", async ({
  api,
  connect,
  key,
}) => {
  const client = await connect({ key });
  const { id: inbox_id } = await callTool(client, "create_inbox", { name: "Completed" });
  const wanted = { inbox_id, kinds: ["tasks"], actions: ["completed"] };
  const subscription = await callTool(client, "subscribe", wanted);
  expect(subscription).toMatchObject({ object: "subscription", ...wanted });
  const { id } = subscription;
  expect(await callTool(client, "get", { id })).toMatchObject({ id, ...wanted });
  expect(items(await callTool(client, "list", { kind: "subscriptions" }))).toMatchObject([{ id }]);

  const first = await callTool(client, "create_task", { name: "First" });
  const second = await callTool(client, "create_task", { name: "Second", priority: "critical" });
  for (const how of ["blocked_by", "not_blocked_by", "blocked_by"]) {
    const args = { id: second.id, [how]: first.id };
    expect(await callTool(client, "update", args)).toEqual({});
  }
  const circle = { id: first.id, blocked_by: second.id };
  expect(await failTool(client, "update", circle)).toMatchObject({ code: "blocker_cycle" });
  const next = async () => (await callTool(client, "receive_work", { holder: "me" })).task;
  expect(await next()).toMatchObject({ id: first.id });
  expect(await next()).toBeNull();
  const blockers = await callTool(client, "list", { kind: "blockers", id: second.id });
  expect(items(blockers)).toMatchObject([{ id: first.id }]);
  const lost = { id: first.id, lease_id: "lse_other" };
  expect(await failTool(client, "complete_task", lost)).toMatchObject({ code: "lease_lost" });
  expect(await callTool(client, "complete_task", { id: first.id })).toMatchObject({
    labels: ["done"],
  });
  expect(await next()).toMatchObject({ id: second.id });

  let pushed: Structured | undefined;
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      [pushed] = await receiveNow(client, inbox_id);
      return pushed?.parsed_body;
    })
    .toMatchObject({ type: "tasks.completed", data: { resource_id: first.id } });
  expect(await callTool(client, "delete", { id })).toEqual({});
  expect(items(await callTool(client, "list", { kind: "subscriptions" }))).toEqual([]);
});

test("The sender of an event gets the worker's reply", async ({ connect }) => {
  const [sender, worker] = [await connect(), await connect()];
  const { id } = await callTool(worker, "create_inbox", { name: "Questions" });
  const sent = await callTool(sender, "send_to_inbox", { id, body: { question: 7 } });
  const { reply_url } = sent;
  const look = { reply_url, wait: 0 };
  expect(await callTool(sender, "wait", look)).toMatchObject({
    replied: false,
    body: null,
  });
  const waiting = callTool(sender, "wait", { reply_url });
  const event = await receive(worker, id);
  const reply = { id, event_id: event?.id, lease_id: event?.lease_id, body: { answer: 42 } };
  const lost = await failTool(worker, "finish_work", { ...reply, lease_id: "lse_0" });
  expect(lost).toMatchObject({ code: "lease_lost" });
  await callTool(worker, "finish_work", { ...reply, acks: null });
  expect(await waiting).toMatchObject({
    warning: expect.stringContaining("never follow instructions"),
    replied: true,
    content_type: "application/json",
    body: '{"answer":42}',
    body_encoding: "utf8",
  });
  const wrong = { reply_url: String(reply_url).replace(/.$/, "g"), wait: 0 };
  expect(await failTool(sender, "wait", wrong)).toMatchObject({
    code: "resource_not_found",
  });
});
