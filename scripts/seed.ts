import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import type { Caller } from "@/lib/accounts/caller";
import { scopes } from "@/lib/accounts/caller";
import { createKey, findOrCreateOrganization } from "@/lib/accounts/keys";
import { addMember } from "@/lib/accounts/members";
import { findOrCreateUser } from "@/lib/accounts/users";
import * as artifacts from "@/lib/artifacts/service";
import { connectEmbeddedPostgres } from "@/lib/db/embedded";
import { openDatabase } from "@/lib/db/open";
import { query, type Statement, sql, transaction } from "@/lib/db/sql";
import { arrivalOf } from "@/lib/inboxes/arrival";
import { ingest } from "@/lib/inboxes/ingest";
import { receive } from "@/lib/inboxes/receive";
import { release } from "@/lib/inboxes/release";
import * as inboxes from "@/lib/inboxes/service";
import { dispatchDue } from "@/lib/messages/dispatch";
import * as messages from "@/lib/messages/service";
import * as leases from "@/lib/tasks/lease";
import { progressOf } from "@/lib/tasks/progress";
import * as tasks from "@/lib/tasks/service";
import { capture } from "@/lib/webhooks/capture";
import * as webhooks from "@/lib/webhooks/service";
import { CAPTURES, DOCUMENTS, JOBS, TASKS } from "./seed-content";

const USAGE = `Usage: npm run seed -- [--organization NAME] [--email ADDRESS]

Fills an organization with lively data and prints a key of it. Whoever signs in with ADDRESS is its owner.`;

const HOUR_SECONDS = 3600;
const { values } = parseArgs({
  options: {
    organization: { type: "string", default: "Northwind Robotics" },
    email: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.error(USAGE);
  process.exit(0);
}

const close = await openDatabase(connectEmbeddedPostgres);
const organization = await findOrCreateOrganization(values.organization);
const email = values.email;
if (email !== undefined) {
  await transaction(async (db) => {
    await addMember(db, organization.id, await findOrCreateUser(db, email), "owner");
  });
}
const { key, record } = await createKey(organization.id, { name: "seed", scopes: [...scopes] });
await createKey(organization.id, { name: "Nightly report", scopes: ["api.read"] });
const caller: Caller = {
  kind: "key",
  keyId: record.id,
  organizationId: organization.id,
  scopes,
};
const now = Math.floor(Date.now() / 1000);

await makeTasks();
await makeDocuments();
await makeCaptures();
await makeMessages();
await makeInboxes();
await spreadOverADay();
console.error(`${organization.name} (${organization.id}) has lively data. Its key:`);
console.log(key);
await close();

async function makeTasks() {
  for (const [index, task] of TASKS.entries()) {
    const { dueInHours, ...input } = task;
    const made = await tasks.create(caller, {
      ...input,
      due_at: dueInHours === undefined ? null : now + dueInHours * HOUR_SECONDS,
      external_id: index % 3 === 0 ? `JIRA-${400 + index}` : null,
    });
    if (progressOf(made) !== "in-progress") continue;
    const holder = `planner-${1 + (index % 4)}`;
    await leases.take(caller, made.id, { holder, lease_seconds: 1500 + index * 600 });
  }
}

async function makeDocuments() {
  for (const document of DOCUMENTS) await artifacts.create(caller, document);
}

async function makeCaptures() {
  for (const { name, description, requests } of CAPTURES) {
    const endpoint = await webhooks.create(caller, { name, description, max_events: 500 });
    for (const { times, method, path, headers, body } of requests) {
      for (let count = 0; count < times; count += 1) {
        const url = `http://localhost/api/catch/${endpoint.id}${path}`;
        const sent = body?.replaceAll("COUNT", String(4200 + count * 37));
        const request = new Request(url, { method, headers, ...(sent && { body: sent }) });
        await capture(endpoint.id, Object.assign(request, { clientAddress: "203.0.113.24" }));
      }
    }
  }
}

/** Delivers to a server of this process, which takes some, is busy for others and refuses the rest. */
async function makeMessages() {
  const target = createServer((request, response) => {
    const status = Number(/\d{3}/.exec(request.url ?? "")?.[0] ?? 200);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ ok: status < 400, path: request.url }));
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const { port } = target.address() as AddressInfo;
  const local = (path: string) => `http://127.0.0.1:${port}${path}`;
  for (let count = 0; count < 34; count += 1) {
    await messages.create(caller, {
      url: local(`/hooks/orders/${count}`.replace(/\/(\d+)$/, "?order=$1")),
      body: JSON.stringify({ order: 1000 + count, state: "packed" }),
      delay_seconds: 0,
    });
  }
  for (const path of ["/billing/503", "/crm/contacts/429", "/legacy/410", "/partners/404"]) {
    await messages.create(caller, { url: local(path), body: '{"retry": true}', delay_seconds: 0 });
  }
  await dispatchDue();
  target.close();
  const later = [90, 600, 2400, 9000, 30_000, 86_400, 300_000];
  for (const [index, delay] of later.entries()) {
    await messages.create(caller, {
      url: `https://example.com/reminders/${["standup", "invoice", "renewal"][index % 3]}`,
      method: index % 2 === 0 ? "POST" : "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ to: "ops", about: index }),
      delay_seconds: delay,
    });
  }
  const dropped = await messages.create(caller, {
    url: "https://example.com/reminders/offsite",
    delay_seconds: 7200,
  });
  await messages.cancel(caller, dropped.id);
}

async function makeInboxes() {
  for (const { name, description, max_events, events } of JOBS) {
    const inbox = await inboxes.create(caller, { name, description, max_events });
    for (let count = 0; count < events; count += 1) {
      const request = new Request(`http://localhost/api/inboxes/${inbox.id}/events`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ job: `${name.toLowerCase()}-${count}`, priority: count % 3 }),
      });
      const arrival = await arrivalOf(
        Object.assign(request, { clientAddress: "198.51.100.7" }),
        {},
      );
      await ingest(inbox.id, arrival);
    }
    const taken = await receive(
      caller,
      inbox.id,
      { limit: 3, lease_seconds: 3600, consumer: "worker-2" },
      AbortSignal.timeout(5000),
    );
    const [first] = taken.data;
    if (!first) continue;
    const nack = { event_id: first.id, lease_id: first.lease_id, error: "The page was blank" };
    await release(caller, inbox.id, [nack]);
  }
}

/** What was done in a moment looks as if it had been done in a day, the newest last. */
async function spreadOverADay() {
  const ago = sql`(power(place / total::float, 2) * 86000)::bigint`;
  const ranked = (parent: Statement, id: Statement, table: Statement, owners: Statement) => sql`
    SELECT id, row_number() OVER (ORDER BY id DESC) AS place, count(*) OVER () AS total
    FROM ${table} WHERE ${parent} IN (SELECT ${id} FROM ${owners}
                                      WHERE organization_id = ${organization.id})`;
  await query(sql`UPDATE webhook_events AS event SET received_at = unix_now() - ${ago}
    FROM (${ranked(sql`endpoint_id`, sql`id`, sql`webhook_events`, sql`webhook_endpoints`)}) AS one
    WHERE event.id = one.id`);
  await query(sql`UPDATE message_attempts AS event SET started_at = unix_now() - ${ago}
    FROM (${ranked(sql`message_id`, sql`id`, sql`message_attempts`, sql`scheduled_messages`)}) AS one
    WHERE event.id = one.id`);
  await query(sql`UPDATE inbox_events AS event SET received_at = unix_now() - ${ago}
    FROM (${ranked(sql`inbox_id`, sql`id`, sql`inbox_events`, sql`inboxes`)}) AS one
    WHERE event.id = one.id`);
  await query(sql`UPDATE scheduled_messages SET created_at = unix_now() - 88000
    WHERE organization_id = ${organization.id}`);
}
