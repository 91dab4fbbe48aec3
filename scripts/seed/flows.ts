import { createHmac } from "node:crypto";
import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { unrecorded } from "@/lib/platform/db/commit";
import { query, sql } from "@/lib/platform/db/sql";
import * as artifacts from "@/lib/resources/artifacts/service";
import * as inboxes from "@/lib/resources/inboxes/service";
import { runNow } from "@/lib/resources/schedules/runs";
import * as schedules from "@/lib/resources/schedules/service";
import * as tasks from "@/lib/resources/tasks/service";
import { capture } from "@/lib/resources/webhooks/events/capture";
import * as forwards from "@/lib/resources/webhooks/forward/service";
import * as webhooks from "@/lib/resources/webhooks/service";
import * as verifications from "@/lib/resources/webhooks/verification/service";
import { DAY, HOUR, moveToPast, pastId } from "./past";

const SECRET = "the secret of the sample shop";
const ORDERS = 18;
/** The last orders have a signature that is not valid. */
const FORGED = 3;

/** Endpoints whose messages of the last day are those to the URL. */
const FORWARDED = [
  { endpoint: "Payments", url: "https://hooks.northwind.example/orders" },
  { endpoint: "Carrier tracking", url: "https://hooks.northwind.example/stock/levels" },
  { endpoint: "Belt sensors", url: "https://legacy.northwind.example/import" },
];

const SCHEDULES = [
  {
    name: "Daily report",
    cron: "0 7 * * MON-FRI",
    timezone: "Europe/Berlin",
    target: { task: { name: "Write the daily report", labels: ["finance"] } },
    runs: 1,
  },
  {
    name: "Night jobs",
    cron: "30 22 * * *",
    timezone: "Europe/Berlin",
    target: { inbox: "Night jobs" },
    runs: 2,
  },
  {
    name: "Month-end invoices",
    cron: "0 6 1 * *",
    timezone: "Europe/Berlin",
    target: { message: { url: "https://ledger.fjord-bank.example/close-month", body: "{}" } },
    runs: 0,
  },
  {
    name: "Count the shelves",
    cron: "0 */6 * * *",
    timezone: "Europe/Berlin",
    target: { task: { name: "Count aisle 7 again", labels: ["warehouse"] } },
    runs: 1,
  },
];

/** Everything that leads from one resource to another. */
export async function makeFlows(caller: Caller): Promise<void> {
  for (const { endpoint, url } of FORWARDED) await forwardToUrl(caller, endpoint, url);
  await makeOrders(caller);
  await makeSchedules(caller);
}

/** Makes an endpoint forward to a URL, as if the messages sent there had come from its events. */
async function forwardToUrl(caller: Caller, name: string, url: string) {
  const [endpoint] = await query<{ id: string }>(sql`
    SELECT id FROM webhook_endpoints
    WHERE organization_id = ${organizationOf(caller)} AND name = ${name}
    ORDER BY id DESC LIMIT 1`);
  if (!endpoint) return;
  await forwards.put(caller, endpoint.id, { url });
  // The events take the times of the messages. Both are in order.
  await query(sql`
    WITH sent AS (
      SELECT id, created_at, row_number() OVER (ORDER BY id DESC) AS place FROM scheduled_messages
      WHERE url = ${url} AND organization_id = (
        SELECT organization_id FROM webhook_endpoints WHERE id = ${endpoint.id})
    ), captured AS (
      SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM webhook_events
      WHERE endpoint_id = ${endpoint.id}
    ), pair AS (
      SELECT captured.id AS event_id, sent.id AS message_id, sent.created_at,
             'wev_' || substr(sent.id, 5, 9) || substr(captured.id, 14) AS new_id
      FROM sent JOIN captured USING (place)
    ), linked AS (
      UPDATE scheduled_messages AS message
      SET webhook_endpoint_id = ${endpoint.id}, webhook_event_id = new_id
      FROM pair WHERE message.id = message_id
    )
    UPDATE webhook_events AS event
    SET id = new_id, received_at = pair.created_at, forward_status = 'forwarded',
        forwarded_id = message_id
    FROM pair WHERE event.endpoint_id = ${endpoint.id} AND event.id = event_id`);
}

/** Signed orders of the last hour that wait in an inbox, and what became of two of them. */
async function makeOrders(caller: Caller) {
  const inbox = await inboxes
    .creation(caller, { name: "Orders", description: "Packed one by one", max_events: 500 })
    .store();
  const endpoint = await webhooks
    .creation(caller, { name: "Shop orders", description: "Signed by the shop" })
    .store();
  await verifications.put(caller, endpoint.id, { scheme: "github", secret: SECRET });
  await forwards.put(caller, endpoint.id, { inbox_id: inbox.id });
  for (let count = 0; count < ORDERS + FORGED; count += 1) {
    const body = JSON.stringify({
      event: "order.created",
      order: 2231 + count,
      total: 49 + ((count * 37) % 300),
      currency: "eur",
    });
    const secret = count < ORDERS ? SECRET : "another secret, replaced last week";
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const request = new Request(`http://localhost/api/catch/${endpoint.id}/orders`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Shop/5",
        "x-hub-signature-256": `sha256=${signature}`,
      },
      body,
    });
    await capture(endpoint.id, Object.assign(request, { clientAddress: "203.0.113.60" }));
  }
  const events = await spreadOrders(endpoint.id, inbox.id);
  const [first, second] = events;
  if (first === undefined || second === undefined) return;
  const made = await tasks
    .creation(caller, {
      name: "Pack order 2231",
      labels: ["warehouse", "done"],
      external_id: first,
    })
    .store();
  await tasks
    .creation(caller, { name: "Ask about the address of order 2232", external_id: second })
    .store();
  await artifacts
    .creation(caller, {
      name: "Packing list of order 2231",
      format: "markdown",
      content: "# Order 2231\n\n- 2 × thermal labels, 100 × 150\n- 1 × belt cleaner\n",
      external_id: made.id,
    })
    .store();
}

/** Moves the orders into the last hour, with the inbox events that they became, and returns these. */
async function spreadOrders(endpointId: string, inboxId: string): Promise<string[]> {
  await query(sql`
    CREATE TEMPORARY TABLE moved_orders AS
    SELECT id, forwarded_id, 60 + 170 * (row_number() OVER (ORDER BY id DESC) - 1) AS ago
    FROM webhook_events WHERE endpoint_id = ${endpointId}`);
  await query(sql`
    UPDATE inbox_events AS event
    SET id = ${pastId(sql`event.id`, sql`ago`)}, received_at = unix_now() - ago,
        visible_at = now() - ago * interval '1 second'
    FROM moved_orders WHERE event.inbox_id = ${inboxId} AND event.id = forwarded_id`);
  await query(sql`
    UPDATE webhook_events AS event
    SET id = ${pastId(sql`event.id`, sql`ago`)}, received_at = unix_now() - ago,
        forwarded_id = ${pastId(sql`event.forwarded_id`, sql`ago`)}
    FROM moved_orders WHERE event.endpoint_id = ${endpointId} AND event.id = moved_orders.id`);
  await query(sql`DROP TABLE moved_orders`);
  const events = await query<{ id: string }>(
    sql`SELECT id FROM inbox_events WHERE inbox_id = ${inboxId} ORDER BY id`,
  );
  return events.map(({ id }) => id);
}

async function makeSchedules(caller: Caller) {
  const all = await inboxes.list(caller, { limit: 100 });
  for (const [index, { target, runs, ...input }] of SCHEDULES.entries()) {
    const night = all.data.find(({ name }) => name === target.inbox);
    const made = await (
      await schedules.creation(caller, {
        ...input,
        target: night
          ? { inbox_event: { inbox_id: night.id, body: '{"job": "recount"}' } }
          : (target as Parameters<typeof schedules.creation>[1]["target"]),
      })
    ).store();
    const row = { id: made.id, ago: (20 - 4 * index) * DAY - index * HOUR, changedAgo: 0 };
    // The move changes the ID, to which its runs refer.
    for (const id of await moveToPast(sql`schedules`, [row])) {
      for (let run = 0; run < runs; run += 1) await runNow(caller, id, null, unrecorded);
    }
  }
}
