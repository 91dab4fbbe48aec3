import { expect } from "../support/fixtures";
import { callTool, failTool, type Structured, test } from "../support/mcp";
import { capture, makeEndpoint } from "../support/webhooks";

/** Calls as models send them who know a tool's name and purpose, but have not read its schema. */

const FAILURES_MAX = 3;

test("Of 35 guessed calls, at most three fail", async ({ api, connect, key }) => {
  const client = await connect({ key });
  const task = await callTool(client, "create_task", { name: "One" });
  const other = await callTool(client, "create_task", { name: "Two" });
  const held = await callTool(client, "create_task", { name: "Three" });
  const lease = await callTool(client, "receive_work", { id: held.id, holder: "me" });
  const report = await callTool(client, "publish_artifact", { name: "Report", content: "1" });
  const hook = await makeEndpoint(api, { key });
  const captured = await capture(api, hook.id, { raw: "here" });
  const inbox = await callTool(client, "create_inbox", { name: "Orders" });
  const sent = await callTool(client, "send_to_inbox", { id: inbox.id, body: "one" });
  const received = await callTool(client, "receive_work", { id: inbox.id });
  const [event]: Structured[] = Array.isArray(received.data) ? received.data : [];
  const message = { url: "https://example.com/", delay_seconds: 3600 };
  const later = await callTool(client, "schedule_message", message);
  const target = { task: { name: "Daily" } };
  const schedule = await callTool(client, "create_schedule", { every_seconds: 86_400, target });

  const guesses: [tool: string, args: Record<string, unknown>][] = [
    ["create_task", { title: "Write the notes", due_at: "2027-01-01", priority: "high" }],
    ["list", { type: "tasks" }],
    ["list", { kind: "task", status: "open" }],
    ["list", { what: "webhooks" }],
    ["list", { kind: "documents" }],
    ["list", { kind: "messages", status: "scheduled" }],
    ["list", { kind: "notes", task_id: task.id }],
    ["get", { task_id: task.id }],
    ["get", { id: hook.id }],
    ["get", { inbox_id: inbox.id }],
    ["get", { event_id: captured, webhook_id: hook.id }],
    ["update", { task_id: task.id, labels: ["in-progress"] }],
    ["update", { id: task.id, comment: "Half done" }],
    ["update", { id: task.id, blocked_by: other.id }],
    ["complete_task", { task_id: held.id, lease_id: lease.lease_id, note: "Done" }],
    ["receive_work", { worker: "me" }],
    ["wait", { webhook_id: hook.id, timeout: 0 }],
    ["set_up_webhook", { webhook_id: hook.id, scheme: "github", secret: "Shared" }],
    ["set_up_webhook", { endpoint_id: hook.id, inbox_id: inbox.id }],
    ["publish_artifact", { title: "Report", content: "# Report", format: "markdown" }],
    ["schedule_message", { ...message, delay_seconds: null, send_at: "2031-01-01T09:00:00Z" }],
    ["update", { message_id: later.id, stop: "sending" }],
    ["run_now", { schedule_id: schedule.id }],
    ["send_to_inbox", { inbox_id: inbox.id, payload: { order: 8 } }],
    ["finish_work", { inbox_id: inbox.id, event_id: event?.id, lease_id: event?.lease_id }],
    ["wait", { url: sent.reply_url, timeout: 0 }],
    ["list", { kind: "changes", after: "latest" }],
    ["list", { kind: "attempts", message_id: later.id }],
    ["update", { artifact_id: report.id, text: "2" }],
    ["publish_artifact", { title: "Report", markdown: "# Report" }],
    ["schedule_message", { url: message.url, delay: 3600 }],
    ["create_schedule", { schedule: "0 9 * * *", tz: "Europe/Berlin", target }],
    ["receive_work", { inbox_id: inbox.id, max: 5, timeout: 0 }],
    ["delete", { artifact_id: report.id }],
  ];
  const failed: string[] = [];
  for (const [name, args] of guesses) {
    const { isError, content } = await client.callTool({ name, arguments: args });
    if (!isError) continue;
    const text = content[0]?.type === "text" ? content[0].text : "";
    failed.push(`${name} ${JSON.stringify(args)}: ${JSON.parse(text).error.message}`);
  }
  expect(guesses.length).toBeGreaterThanOrEqual(34);
  expect(failed.length, failed.join("\n")).toBeLessThanOrEqual(FAILURES_MAX);
});

test("A call that is wrong says which argument, and what is allowed", async ({ connect, key }) => {
  const client = await connect({ key });
  const { id } = await callTool(client, "create_task", { name: "One" });
  const wrong: [tool: string, args: Record<string, unknown>, code: string, words: string[]][] = [
    ["create_task", {}, "missing_required_param", ['"name"']],
    ["get", { id: "task 7" }, "invalid_param", ['"id"', "tsk_"]],
    ["list", { kind: "unicorns" }, "invalid_param", ['"kind"', "tasks"]],
    ["create_task", { name: "x", priority: "urgent" }, "invalid_param", ['"priority"', "critical"]],
    ["update", { id, status: "done" }, "unknown_param", ['"status"', "labels"]],
  ];
  for (const [name, args, code, words] of wrong) {
    const error = await failTool(client, name, args);
    expect.soft(error.code, name).toBe(code);
    for (const word of words) expect.soft(error.message, name).toContain(word);
  }
});

test("whe_X means wh_X in every call", async ({ api, connect, key }) => {
  const client = await connect({ key });
  const hook = await makeEndpoint(api, { key });
  const id = hook.id.replace("wh_", "whe_");
  const event = await capture(api, hook.id, { raw: "here" });
  expect((await callTool(client, "get", { id })).id).toBe(hook.id);
  expect((await callTool(client, "get", { id: event, parent_id: id })).body).toBe("here");
  expect((await callTool(client, "get", { event_id: event, webhook_id: id })).body).toBe("here");
  await callTool(client, "delete", { id });
  expect((await api("GET", `/api/webhooks/${hook.id}`, { key })).status).toBe(404);
});
