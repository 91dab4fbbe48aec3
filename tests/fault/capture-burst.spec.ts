import { expect, test } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { pause } from "../support/servers";
import {
  allEvents,
  capture,
  type Event,
  type EventList,
  listEvents,
  makeEndpoint,
  readEndpoint,
} from "../support/webhooks";

/** Bursts of captures on two servers that share a database. */

test("Under 32 writers on two servers no read shows more than max_events, and the newest remain", async ({
  sharedServers: [{ api }, other],
}) => {
  const servers = [api, other.api];
  const { id } = await makeEndpoint(api, { max_events: 100 });

  const sent: string[] = [];
  let writing = true;
  const reads = [0, 0];
  const readers = servers.map(async (reader, n) => {
    while (writing) {
      const newest = await listEvents(reader, id, { limit: 100, include: "total_count" });
      expect(newest.has_more).toBe(false);
      expect(newest.total_count ?? 0).toBeLessThanOrEqual(100);
      const fromOldest = await listEvents(reader, id, { limit: 100, since: "wev_0" });
      expect(fromOldest.has_more).toBe(false);
      expect((await readEndpoint(reader, id)).event_count).toBeLessThanOrEqual(100);
      reads[n] = (reads[n] ?? 0) + 1;
      await pause(20);
    }
  });
  const writers = Array.from({ length: 32 }, async (_, writer) => {
    for (let n = 0; sent.length < 800 || Math.min(...reads) < 6; n++) {
      sent.push(await capture(pick(servers, writer + n), id, { raw: `${writer}:${n}` }));
    }
  });
  await Promise.race([Promise.all(writers), Promise.all(readers)]);
  writing = false;
  await Promise.all(readers);

  const remaining = await allEvents(api, id);
  expect(remaining.map((event) => event.id)).toEqual(sent.sort().slice(-100).reverse());
  expect((await readEndpoint(api, id)).event_count).toBe(100);
});

test("A reader that follows `since` gets each event of a burst on two servers exactly once", async ({
  sharedServers: [{ api }, other],
}) => {
  const servers = [api, other.api];
  const { id } = await makeEndpoint(api, { max_events: 10_000 });

  const sent: string[] = [];
  const writers = Promise.all(
    Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 0; n < 25; n++) {
        sent.push(await capture(pick(servers, writer + n), id, { raw: `${writer}:${n}` }));
      }
    }),
  );
  const followed = await Promise.all(servers.map((server) => follow(server, id, 400)));
  await writers;
  sent.sort();
  for (const events of followed) expect(events.map((event) => event.id)).toEqual(sent);
  const bodies = followed.map((events) => events.map(({ body }) => body).sort());
  expect(bodies[0]).toEqual(bodies[1]);
});

async function follow(api: Api, id: string, count: number): Promise<Event[]> {
  const events: Event[] = [];
  while (events.length < count) {
    const since = events.at(-1)?.id ?? "wev_0";
    const page: EventList = await listEvents(api, id, { since, wait: 20, limit: 100 });
    expect(page.data.length, `after ${events.length} events`).toBeGreaterThan(0);
    events.push(...page.data);
  }
  return events;
}

function pick(servers: Api[], n: number): Api {
  const server = servers[n % servers.length];
  if (!server) throw new Error("No server.");
  return server;
}
