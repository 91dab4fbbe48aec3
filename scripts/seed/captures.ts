import type { Caller } from "@/lib/platform/caller";
import { query, sql } from "@/lib/platform/db/sql";
import { capture } from "@/lib/resources/webhooks/events/capture";
import * as webhooks from "@/lib/resources/webhooks/service";
import { CAPTURES } from "./content-captures";
import { DAY, HOUR, moveToPast, pastId, randomTimes, seededRandom } from "./past";

/** Endpoints with captures from the last day and a half. */
export async function makeCaptures(caller: Caller): Promise<void> {
  const random = seededRandom(3);
  const made: string[] = [];
  for (const [index, { name, description, requests, events }] of CAPTURES.entries()) {
    const endpoint = await webhooks
      .creation(caller, { name, description, max_events: 500 })
      .store();
    made.push(endpoint.id);
    const total = requests.reduce((sum, { weight }) => sum + weight, 0);
    const times = randomTimes(events, 1.5 * DAY, 30 + index);
    const sent = times.map((_, count) => {
      let rest = random() * total;
      const sender = requests.find(({ weight }) => {
        rest -= weight;
        return rest < 0;
      });
      return sender && send(endpoint.id, sender, count);
    });
    await Promise.all(sent);
    await spread(endpoint.id, times);
  }
  const moved = await moveToPast(
    sql`webhook_endpoints`,
    made.map((id, index) => ({ id, ago: (26 - 4 * index) * DAY - index * HOUR })),
  );
  const renamed = sql`unnest(${made}::text[], ${moved}::text[]) AS one (old, id)`;
  await query(sql`
    UPDATE endpoint_state SET endpoint_id = one.id FROM ${renamed} WHERE endpoint_id = one.old`);
  await query(sql`
    UPDATE webhook_events SET endpoint_id = one.id, path = replace(path, one.old, one.id)
    FROM ${renamed} WHERE endpoint_id = one.old`);
}

async function send(
  endpointId: string,
  { method, path, headers, body, from }: (typeof CAPTURES)[number]["requests"][number],
  count: number,
) {
  const sent = body?.replaceAll("COUNT", String(4200 + count * 37));
  const request = new Request(`http://localhost/api/catch/${endpointId}${path}`, {
    method,
    headers,
    ...(sent && { body: sent }),
  });
  await capture(endpointId, Object.assign(request, { clientAddress: from }));
}

/** Sets the times of events, and the IDs that match them, since events are counted by ID. */
async function spread(endpointId: string, times: number[]) {
  await query(sql`
    UPDATE webhook_events AS event
    SET received_at = unix_now() - one.ago, id = ${pastId(sql`event.id`, sql`one.ago`)}
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM webhook_events
          WHERE endpoint_id = ${endpointId}) AS ordered
    JOIN unnest(${times}::bigint[]) WITH ORDINALITY AS one (ago, place) USING (place)
    WHERE event.endpoint_id = ${endpointId} AND event.id = ordered.id`);
}
