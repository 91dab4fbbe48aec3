import { randomUUID } from "node:crypto";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";
import { pause, residentMegabytes } from "../support/servers";
import { allEvents, capture, makeEndpoint, readEvent } from "../support/webhooks";

/** Captures during database outages and huge uploads. */

test("During a database outage captures are 503 for any endpoint, and no acknowledged event is lost", async ({
  databaseProxy: proxy,
  start,
}) => {
  const server = await start({ DATABASE_URL: proxy.url });
  const { id } = await makeEndpoint(server.api, { max_events: 1000 });
  const acknowledged: string[] = [];
  for (let round = 0; round < 2; round++) {
    const burst = Array.from({ length: 20 }, () => server.api("POST", `/api/catch/${id}`));
    await Promise.race(burst);
    proxy.cut();
    for (const response of await Promise.all(burst)) {
      if (response.status === 200) acknowledged.push(JSON.parse(response.text).event_id);
      else expectError(response, 503, "service_unavailable");
    }
    const responses = [];
    for (const target of [id, "wh_unknown"]) {
      const response = await server.api("POST", `/api/catch/${target}`, { raw: "x" });
      expectError(response, 503, "service_unavailable");
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      responses.push({ ...response.body.error, request_id: "" });
    }
    expect(responses[1]).toEqual(responses[0]);
    proxy.mend();
    await expect
      .poll(async () => (await server.api("POST", "/api/catch/wh_unknown")).status)
      .toBe(200);
  }
  const stored = (await allEvents(server.api, id)).map((event) => event.id);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
});

test("Four uploads of 100 MB take constant memory, and others are served", async ({
  sharedServers: [server],
}) => {
  const { id } = await makeEndpoint(server.api);
  await capture(server.api, id, { raw: Buffer.alloc(1_000_000) });
  const before = residentMegabytes(server.pid);
  let highest = before;
  const uploads = Array.from({ length: 4 }, () => capture(server.api, id, { raw: megabytes(100) }));
  let uploading = true;
  const all = Promise.all(uploads).finally(() => {
    uploading = false;
  });
  let served = 0;
  while (uploading) {
    expectStatus(await server.api("GET", `/api/webhooks/${id}`), 200);
    served += 1;
    highest = Math.max(highest, residentMegabytes(server.pid));
    await pause(20);
  }
  for (const eventId of await all) {
    const event = await readEvent(server.api, id, eventId);
    expect(event).toMatchObject({ size_bytes: 100_000_000, body_truncated: true });
    expect(event.body).toHaveLength(1_000_000);
  }
  console.log(`${before} MB before, ${highest} MB at most; ${served} other requests in that time`);
  expect(highest - before).toBeLessThan(200);
  expect(served).toBeGreaterThan(3);
});

test("Forwarding headers from an untrusted sender are recorded as sent", async ({ start }) => {
  const server = await start({ TRUSTED_PROXIES: "192.0.2.0/24" });
  const { id } = await makeEndpoint(server.api);
  const headers = {
    forwarded: "for=192.0.2.1",
    "x-forwarded-for": "192.0.2.1",
    "x-real-ip": "192.0.2.1",
    "x-vercel-id": "mine",
  };
  const event = await readEvent(server.api, id, await capture(server.api, id, { headers }));
  expect(event.headers).toMatchObject(headers);
  expect(event.source_ip).toMatch(/^(127\.0\.0\.1|::1)$/);
  const inbox = await makeInbox(server.api);
  for (const sent of [headers, { ...headers, "idempotency-key": randomUUID() }]) {
    const { id: ingested } = await inbox.ingest({ raw: "x", headers: sent });
    expect((await inbox.event(ingested)).headers).toMatchObject(headers);
  }
});

async function* megabytes(count: number) {
  const one = Buffer.alloc(1_000_000, "x");
  for (let i = 0; i < count; i++) yield one;
}
