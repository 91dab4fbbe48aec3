import { openEventStream } from "../support/event-stream";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import { capture, makeEndpoint } from "../support/webhooks";

/**
 * Guarantees of a server with two processes. Connections alternate between them, and the client opens
 * one for each request.
 */

test("Long polls and streams in both processes see what one of them stored", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  const streams = await Promise.all(
    Array.from({ length: 6 }, () => openEventStream(baseUrl, `/api/webhooks/${id}/events/stream`)),
  );
  const polls = Array.from({ length: 6 }, () =>
    api("GET", `/api/webhooks/${id}/events`, { query: { since: "wev_0", wait: 20 } }),
  );
  const eventId = await capture(api, id);
  for (const { body } of await Promise.all(polls))
    expect(body.data.map((event) => event.id)).toEqual([eventId]);
  for (const { messages } of streams)
    await expect.poll(() => messages.map((message) => message.id)).toEqual([eventId]);
  for (const stream of streams) stream.close();
});

test("Receivers in both processes get each event of an inbox once, in order", async ({ api }) => {
  const inbox = await makeInbox(api);
  const sent: string[] = [];
  for (let n = 0; n < 10; n += 1) sent.push((await inbox.ingest({ raw: String(n) })).id);
  const got: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const event = await inbox.receiveOne();
    got.push(event.id);
    expectStatus(await inbox.ack(event), 204);
  }
  expect(got).toEqual(sent);
});
