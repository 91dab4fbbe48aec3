import { expectStatus } from "../../tests/support/expectations";
import type { Api } from "../../tests/support/http";
import { inboxClient } from "../../tests/support/inboxes";
import { githubHeaders } from "../../tests/support/signatures";
import type { Picture } from "./picture";

const SECRET = "A secret of these pictures";
const DELIVERY = { ref: "refs/heads/main", repository: { full_name: "northwind/picker" } };

/** The pages of schedules, of an event's path through the service, and of a claim of several. */
export async function flowPicturesOf(api: Api, key: string): Promise<Picture[]> {
  const send = async (method: string, path: string, body: object = {}) => {
    const response = await api(method, path, { key, body });
    if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.text}`);
    return response.status === 204 ? { id: "" } : response.body;
  };
  const inbox = await send("POST", "/api/inboxes", { name: "Verified pushes" });
  const schedule = await makeSchedules(send, inbox.id);
  const { webhook, event } = await makeEventsWay(api, send, inbox.id);
  const asked = await makeReply(api, key, inbox.id);
  const task = await makeBlockedTask(send);
  await send("POST", "/api/subscriptions", { inbox_id: inbox.id, kinds: ["tasks"] });
  await send("POST", "/api/subscriptions", {
    url: "https://hooks.northwind.example/agent-infrastructure/changes",
    kinds: ["messages", "inboxes"],
    actions: ["failed", "deleted"],
  });
  return [
    { name: "schedules", path: "/schedules" },
    { name: "schedules-week", path: "/schedules?span=week" },
    { name: "schedules-empty", path: "/schedules", as: "newcomer" },
    { name: "schedules-new", path: "/schedules?new=1" },
    { name: "schedule", path: `/schedules/${schedule}` },
    { name: "schedule-edit", path: `/schedules/${schedule}?edit=1` },
    { name: "webhook-flow", path: `/webhooks/${webhook}` },
    { name: "webhook-journey", path: `/webhooks/${webhook}/events/${event}?tab=journey` },
    { name: "inbox-replies", path: `/inboxes/${inbox.id}` },
    { name: "inbox-reply", path: `/inboxes/${inbox.id}?event=${asked}` },
    { name: "task-blocked", path: `/tasks/${task}` },
    { name: "claim-everything", path: await makeClaimOfSeveral(api) },
  ];
}

type Send = (method: string, path: string, body?: object) => Promise<{ id: string }>;

/** Makes schedules of every kind, and returns the one with runs. */
async function makeSchedules(send: Send, inboxId: string): Promise<string> {
  const report = await send("POST", "/api/schedules", {
    name: "Daily operations report",
    cron: "30 8 * * MON-FRI",
    timezone: "Europe/Berlin",
    target: {
      task: { name: "Write the operations report", labels: ["report"], priority: "high" },
    },
  });
  await send("POST", "/api/schedules", {
    cron: "0 0 29 2 *",
    timezone: "America/New_York",
    target: { task: { name: "Check what a leap day breaks" } },
  });
  await send("POST", "/api/schedules", {
    name: "Stock levels",
    every_seconds: 14_400,
    target: { message: { url: "https://stock.northwind.example/levels", method: "GET" } },
  });
  await send("POST", "/api/schedules", {
    name: "Heartbeat",
    every_seconds: 60,
    target: { inbox_event: { inbox_id: inboxId, body: '{"beat": true}' } },
  });
  const paused = await send("POST", "/api/schedules", {
    name: "Newsletter, paused over the holidays",
    cron: "0 10 * * THU",
    timezone: "Europe/Lisbon",
    target: { message: { url: "https://mail.northwind.example/send", body: "{}" } },
  });
  await send("PATCH", `/api/schedules/${paused.id}`, { paused: true });
  await send("POST", `/api/schedules/${report.id}/run`);
  return report.id;
}

/** A signed delivery that became a finished task, and one whose signature is wrong. */
async function makeEventsWay(api: Api, send: Send, inboxId: string) {
  const { id: webhook } = await send("POST", "/api/webhooks", { name: "GitHub pushes" });
  await send("PUT", `/api/webhooks/${webhook}/verification`, { scheme: "github", secret: SECRET });
  await send("PUT", `/api/webhooks/${webhook}/forward`, { inbox_id: inboxId });
  const raw = JSON.stringify(DELIVERY);
  const capture = (secret: string, id: string) =>
    api("POST", `/api/catch/${webhook}`, { raw, headers: githubHeaders(secret, raw, id) });
  await capture("Somebody else's", "d-1");
  const { body } = await capture(SECRET, "d-2");
  return { webhook, event: body.event_id };
}

/** An event with a worker's reply. */
async function makeReply(api: Api, key: string, inboxId: string): Promise<string> {
  const queue = inboxClient(api, inboxId, key);
  const event = await queue.receiveOne({ consumer: "report-agent" });
  await api("POST", "/api/tasks", {
    key,
    body: { name: "Report on the push to main", external_id: event.id },
  });
  const response = await api("POST", `${queue.path}/events/${event.id}/reply`, {
    key,
    query: { lease_id: event.lease_id },
    body: { status: "done", findings: ["No secrets", "2 tests added"] },
  });
  expectStatus(response, 200);
  await queue.ingest({ body: { question: "Which branch?" } });
  return event.id;
}

async function makeBlockedTask(send: Send): Promise<string> {
  const first = await send("POST", "/api/tasks", { name: "Export the ledger of October" });
  const second = await send("POST", "/api/tasks", { name: "Close the books of October" });
  await send("PUT", `/api/tasks/${second.id}/blockers/${first.id}`);
  await send("POST", `/api/tasks/${second.id}/notes`, {
    body: "The export waits for the bank: https://bank.example/status",
  });
  return second.id;
}

/** The claim page of an endpoint, an inbox and a schedule that one token claims. */
async function makeClaimOfSeveral(api: Api): Promise<string> {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "Orders" } });
  const headers = { "Claim-With": endpoint.claim_token };
  await api("POST", "/api/inboxes", { headers, body: { name: "Orders to sort" } });
  await api("POST", "/api/schedules", {
    headers,
    body: { every_seconds: 3600, target: { task: { name: "Look for lost orders" } } },
  });
  return `/claim/${endpoint.id}#claim_token=${endpoint.claim_token}`;
}
