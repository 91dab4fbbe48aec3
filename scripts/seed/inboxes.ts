import type { Caller } from "@/lib/platform/caller";
import { unrecorded } from "@/lib/platform/db/commit";
import { query, sql } from "@/lib/platform/db/sql";
import { arrivalOf } from "@/lib/resources/inboxes/events/arrival";
import { ingest } from "@/lib/resources/inboxes/events/ingest";
import { receive } from "@/lib/resources/inboxes/events/receive";
import { release } from "@/lib/resources/inboxes/events/release";
import * as inboxes from "@/lib/resources/inboxes/service";
import { DAY, moveToPast, pastId, randomTimes } from "./past";

const INBOXES = [
  { name: "Invoices", description: "PDFs to read", max_events: 1000, events: 42, dead: 3 },
  { name: "Photos", description: "Pictures to tag", max_events: 20, events: 19, dead: 0 },
  { name: "Refunds", description: "Wait for a person", max_events: 200, events: 6, dead: 0 },
  { name: "Night jobs", description: "Nothing to do by day", max_events: 500, events: 0, dead: 0 },
];

/** Inboxes with events of the last day: ready, delayed, leased and dead. */
export async function makeInboxes(caller: Caller): Promise<void> {
  const made: string[] = [];
  for (const [index, { name, description, max_events, events, dead }] of INBOXES.entries()) {
    const inbox = await inboxes.creation(caller, { name, description, max_events }).store();
    made.push(inbox.id);
    if (events === 0) continue;
    for (let count = 0; count < events; count += 1) await send(inbox.id, name, count);
    await spread(inbox.id, randomTimes(events, 0.8 * DAY, 50 + index));
    await giveUp(inbox.id, dead);
    await take(caller, inbox.id);
  }
  const moved = await moveToPast(
    sql`inboxes`,
    made.map((id, index) => ({ id, ago: (19 - 5 * index) * DAY })),
  );
  const renamed = sql`unnest(${made}::text[], ${moved}::text[]) AS one (old, id)`;
  await query(
    sql`UPDATE inbox_state SET inbox_id = one.id FROM ${renamed} WHERE inbox_id = one.old`,
  );
  await query(sql`
    UPDATE inbox_events SET inbox_id = one.id, queue_id = one.id FROM ${renamed} WHERE inbox_id = one.old`);
}

async function send(inboxId: string, name: string, count: number) {
  const request = new Request(`http://localhost/api/inboxes/${inboxId}/events`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "northwind-jobs/3" },
    body: JSON.stringify({ job: `${name.toLowerCase()}-${4100 + count}`, priority: count % 3 }),
  });
  const from = Object.assign(request, { clientAddress: "198.51.100.7" });
  const query = count % 9 === 8 ? { delay_seconds: 21_600 } : {};
  await ingest(inboxId, await arrivalOf(inboxId, from, query), unrecorded, (stored) => stored);
}

/** Sets how long ago events arrived. Ready ones have been ready since then. */
async function spread(inboxId: string, times: number[]) {
  await query(sql`
    UPDATE inbox_events AS event
    SET received_at = unix_now() - one.ago, id = ${pastId(sql`event.id`, sql`one.ago`)},
        visible_at = CASE WHEN visible_at > now() THEN visible_at
                          ELSE now() - one.ago * interval '1 second' END
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM inbox_events
          WHERE inbox_id = ${inboxId}) AS ordered
    JOIN unnest(${times}::bigint[]) WITH ORDINALITY AS one (ago, place) USING (place)
    WHERE event.inbox_id = ${inboxId} AND event.id = ordered.id`);
}

/** Exhausts the deliveries of the oldest events. */
async function giveUp(inboxId: string, count: number) {
  const dead = await query(sql`
    UPDATE inbox_events SET visible_at = 'infinity', delivery_count = 10, consumer = 'reader-1',
      last_error = 'The PDF has no text in it'
    WHERE inbox_id = ${inboxId} AND id IN (
      SELECT id FROM inbox_events WHERE inbox_id = ${inboxId} ORDER BY id LIMIT ${count})
    RETURNING id`);
  await query(
    sql`UPDATE inbox_state SET occupied = occupied - ${dead.length} WHERE inbox_id = ${inboxId}`,
  );
}

/** Leases a few events and releases one. */
async function take(caller: Caller, inboxId: string) {
  const wanted = { limit: 3, lease_seconds: 3600, consumer: "worker-2" };
  const { body } = await receive(caller, inboxId, wanted, new AbortController(), unrecorded);
  const [first] = JSON.parse(String(body)).data;
  if (!first) return;
  const nack = { event_id: first.id, lease_id: first.lease_id, error: "The page was blank" };
  await release(caller, inboxId, [nack]);
}
