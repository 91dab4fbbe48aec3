import { expect, test } from "../support/fault-fixtures";
import { fieldsOf, post } from "../support/forms";
import { samplesOf } from "../support/metrics";
import { head, openRaw } from "../support/raw-sockets";
import { capture, makeEndpoint } from "../support/webhooks";

/** Requests that a client sends without waiting for responses, and what it leaves when it disconnects. */

test("A request runs when the response before it on its connection has ended", async ({
  sharedServers: [{ api, baseUrl }],
}) => {
  const { id } = await makeEndpoint(api);
  const poll = head("GET", `/api/webhooks/${id}/events?since=wev_0&wait=2`);
  const arrival = head("POST", `/api/catch/${id}`, "Content-Length: 0");
  const { socket, received } = openRaw(baseUrl, poll + arrival + poll);
  const bodies = () => received().split("HTTP/1.1 200 OK").slice(1);
  await expect.poll(() => bodies().length).toBe(3);
  const [before, captured, after] = bodies();
  expect(before).toContain('"data":[]');
  const event = /wev_\w+/.exec(captured ?? "")?.[0] ?? "none";
  expect(after).toContain(event);
  socket.destroy();
});

test("Forms are answered after clients that sent some behind a stream have left", async ({
  sharedServers: [{ api, baseUrl }],
}) => {
  const { id } = await makeEndpoint(api);
  const { fields, cookie } = await fieldsOf(baseUrl, "/sign-in", undefined, "key");
  const body = "email=a@b.example";
  const type = "Content-Type: application/x-www-form-urlencoded";
  const bytes =
    head("GET", `/api/webhooks/${id}/events/stream`) +
    head("POST", "/sign-in", type, `Content-Length: ${body.length}`) +
    body;
  const sockets = ["127.0.0.2", "127.0.0.3"].flatMap((address) =>
    Array.from({ length: 4 }, () => openRaw(baseUrl, bytes, { address })),
  );
  for (const { received } of sockets) await expect.poll(received).toContain(" 200 OK");
  for (const { socket } of sockets) socket.destroy();
  const form = { ...fields, key: "svc_live_wrong" };
  const { status } = await post(baseUrl, "/sign-in", form, { cookie, origin: baseUrl });
  expect(status).toBe(200);
});

test("Streams that a client asked for behind another one hold no place after it has left", async ({
  sharedServers: [{ api, baseUrl }],
}) => {
  const { id } = await makeEndpoint(api);
  for (let n = 0; n < 3; n += 1) await capture(api, id, { raw: Buffer.alloc(30_000) });
  const streams = async () =>
    samplesOf((await api("GET", "/metrics")).text).get('waiting_requests{kind="stream"}');
  const lines = head("GET", `/api/webhooks/${id}/events`, "Accept: application/x-ndjson");
  const bytes = head("GET", `/api/webhooks/${id}/events/stream`) + lines.repeat(20);
  const sockets = Array.from({ length: 5 }, () => openRaw(baseUrl, bytes));
  await expect.poll(streams).toBeGreaterThanOrEqual(5);
  for (const { socket } of sockets) socket.destroy();
  await expect.poll(streams).toBe(0);
});
