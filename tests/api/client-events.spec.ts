import { once } from "node:events";
import { ApiError, createClient, rawBody, type WebhookEvent } from "@/packages/client/src/index";
import { expect, test } from "../support/fixtures";
import { startTarget } from "../support/target";
import { startTcpProxy } from "../support/tcp-proxy";
import { capture, makeEndpoint } from "../support/webhooks";

/** The client's stream of captured events over a network that breaks, and the bytes of a body. */

async function take(
  count: number,
  events: AsyncIterable<WebhookEvent>,
  onEvent: (event: WebhookEvent) => void = () => {},
): Promise<WebhookEvent[]> {
  const taken: WebhookEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    onEvent(event);
    if (taken.length === count) break;
  }
  return taken;
}

test("Each event arrives once and in order while the connection is cut twelve times", async ({
  api,
  baseUrl,
  key,
}) => {
  const endpoint = await makeEndpoint(api, { key, max_events: 1000 });
  const proxy = await startTcpProxy(baseUrl);
  const client = createClient({ baseUrl: proxy.url, apiKey: key });
  const breaks: Error[] = [];
  let received = 0;
  const reading = take(
    120,
    client.events(endpoint.id, { since: "wev_0", onBreak: (error) => breaks.push(error) }),
    () => {
      received++;
    },
  );
  const sent: string[] = [];
  for (let cut = 1; cut <= 12; cut++) {
    for (let event = 0; event < 10; event++) sent.push(await capture(api, endpoint.id));
    // In the middle of what the stream is sending, for most.
    if (cut % 3 === 0) await expect.poll(() => received).toBeGreaterThanOrEqual(cut * 8);
    proxy.cut();
    proxy.mend();
  }
  expect((await reading).map(({ id }) => id)).toEqual(sent);
  expect(breaks.length).toBeGreaterThan(2);
  await proxy.close();
});

test("A stream begins now or after the given event, filters, and ends at the signal without an error", async ({
  api,
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key });
  const endpoint = await makeEndpoint(api, { key });
  const first = await capture(api, endpoint.id);
  const second = await capture(api, endpoint.id, { raw: "needle" });
  const stop = new AbortController();
  const fromNow = client.events(endpoint.id, { signal: stop.signal });
  const next = fromNow.next();
  expect((await take(1, client.events(endpoint.id, { since: first })))[0]?.id).toBe(second);
  const found = await take(1, client.events(endpoint.id, { since: "wev_0", q: "needle" }));
  expect(found[0]?.id).toBe(second);
  const third = await api("PUT", `/api/catch/${endpoint.id}`, { headers: { "X-Kind": "put" } });
  const put = client.events(endpoint.id, { since: "wev_0", method: "PUT" });
  const kind = client.events(endpoint.id, { since: "wev_0", header: "x-kind: put" });
  for (const [event] of [await take(1, put), await take(1, kind)]) {
    expect(third.text).toContain(event?.id);
  }
  expect((await next).value?.id).not.toBe(first);
  const ended = fromNow.next();
  stop.abort();
  expect(await ended).toEqual({ done: true, value: undefined });
  expect(await client.events(endpoint.id, { signal: stop.signal }).next()).toMatchObject({
    done: true,
  });
});

test("Once its signal has aborted, a stream yields none of the events that it has read", async () => {
  const target = await startTarget((response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write('data: {"id":"wev_1"}\n\ndata: {"id":"wev_2"}\n\n');
  });
  const stop = new AbortController();
  const options = { since: "wev_0", signal: stop.signal };
  const events = createClient({ baseUrl: target.url }).events("wh_1", options);
  expect((await events.next()).value?.id).toBe("wev_1");
  stop.abort();
  expect(await events.next()).toEqual({ done: true, value: undefined });
  await target.stop();
});

test("A stream that cannot begin throws, and so does one whose endpoint is deleted", async ({
  api,
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key, maxRetries: 0 });
  const endpoint = await makeEndpoint(api, { key });
  await expect(client.events("wh_1").next()).rejects.toMatchObject({ status: 404 });
  await expect(client.events("..").next()).rejects.toBeInstanceOf(TypeError);
  const bad = client.events(endpoint.id, { since: "x" });
  await expect(bad.next()).rejects.toMatchObject({ status: 400 });
  const nobody = createClient({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
  await expect(nobody.events(endpoint.id).next()).rejects.toMatchObject({
    name: "ConnectionError",
    message: expect.stringContaining("http://127.0.0.1:1"),
  });
  const events = client.events(endpoint.id, { since: "wev_0" });
  await capture(api, endpoint.id);
  await events.next();
  const next = events.next();
  await client.DELETE("/api/webhooks/{id}", { params: { path: { id: endpoint.id } } });
  await expect(next).rejects.toMatchObject({ status: 404 });
});

test("A hostile stream ends with an error instead of filling the memory", async () => {
  const chunk = Buffer.alloc(1_000_000, "x");
  const target = await startTarget((response, { path }) => {
    const type = path.includes("wh_html") ? "text/html" : "text/event-stream";
    response.writeHead(200, { "Content-Type": type });
    if (path.includes("wh_json")) return void response.write("data: {not JSON\n\n");
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  });
  const client = createClient({ baseUrl: target.url });
  for (const id of ["wh_html", "wh_json", "wh_endless"]) {
    const error = await client
      .events(id, { since: "wev_0" })
      .next()
      .catch((error) => error);
    expect(error, id).toBeInstanceOf(ApiError);
    expect(error.code).toBe("invalid_response");
  }
  expect(target.received).toHaveLength(3);
  await target.stop();
});

test("A proxy's page is a break of a stream that has begun, and a stream that cannot be read its end", async () => {
  const stream = (data: string) => ({ status: 200, type: "text/event-stream", data });
  const answers = [
    stream('data: {"id":"wev_1"}\n\n'),
    { status: 404, type: "text/plain", data: "No such site" },
    { status: 200, type: "text/html", data: "<h1>Back soon</h1>" },
    stream('data: {"id":"wev_2"}\n\n'),
    stream("data: {not JSON\n\n"),
  ];
  const target = await startTarget((response) => {
    const { status, type, data } = answers[target.received.length - 1] ?? stream("");
    response.writeHead(status, { "Content-Type": type }).end(data);
  });
  const breaks: Error[] = [];
  const onBreak = (error: Error) => breaks.push(error);
  const client = createClient({ baseUrl: target.url });
  const events = client.events("wh_1", { since: "wev_0", onBreak });
  const ids = [await events.next(), await events.next()].map(({ value }) => value?.id);
  expect(ids).toEqual(["wev_1", "wev_2"]);
  expect(breaks).toMatchObject([{ status: 404 }, { status: 200 }]);
  await expect(events.next()).rejects.toMatchObject({ code: "invalid_response" });
  expect(target.received).toHaveLength(answers.length);
  await target.stop();
});

test("Leaving the loop closes the connection", async ({ api, baseUrl, key }) => {
  const endpoint = await makeEndpoint(api, { key });
  const closed: Promise<unknown>[] = [];
  const proxy = await startTcpProxy(baseUrl, (socket) => closed.push(once(socket, "close")));
  const client = createClient({ baseUrl: proxy.url, apiKey: key });
  await capture(api, endpoint.id);
  await take(1, client.events(endpoint.id, { since: "wev_0" }));
  await closed[0];
  await proxy.close();
});

test("rawBody gives the bytes that were sent, and says when they are not all", async ({
  api,
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key });
  const endpoint = await makeEndpoint(api, { key });
  const bodies = [
    Uint8Array.from({ length: 256 }, (_, index) => index),
    Buffer.alloc(300_000),
    Buffer.from('\ufeff{\r\n \u2028\u0000"ü😀"}\r\n\n'),
    Buffer.from([0xef, 0xbb, 0xbf, 0xff]),
    Buffer.alloc(0),
    Buffer.from("data: x\n\nid: wev_9\n\n"),
  ];
  for (const raw of bodies) await capture(api, endpoint.id, { raw });
  const events = await take(bodies.length, client.events(endpoint.id, { since: "wev_0" }));
  for (const [index, event] of events.entries()) {
    expect(
      Buffer.from(rawBody(event)).equals(bodies[index] ?? Buffer.from("?")),
      event.body_encoding ?? "",
    ).toBe(true);
  }
  const long = Buffer.alloc(1_000_001, "é");
  await capture(api, endpoint.id, { raw: long });
  const [cut] = await take(1, client.events(endpoint.id, { since: events.at(-1)?.id }));
  if (!cut) throw new Error("Nothing was captured.");
  expect(() => rawBody(cut)).toThrow("Only the first part");
  const kept = Buffer.from(rawBody(cut, { allowTruncated: true }));
  expect(kept.equals(long.subarray(0, 1_000_000))).toBe(true);
});
