import { createHmac, randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Message } from "@/lib/resources/messages/contract";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { jsonOf } from "../support/http";
import { publicWebhookId } from "../support/messages";
import { rowsOf } from "../support/rows";
import { stripeHeaders } from "../support/signatures";
import { startTarget, type Target } from "../support/target";
import { arrivals, capture, listEvents, makeEndpoint } from "../support/webhooks";

/** Replaying captured requests. */

test("A replay is sent at once with the same bytes, method and headers, so the sender's signature still verifies", async ({
  api,
}) => {
  const target = await startTarget();
  const bytes = randomBytes(3000);
  const signature = `sha256=${createHmac("sha256", "secret").update(bytes).digest("hex")}`;
  const { id } = await makeEndpoint(api);
  const eventId = await capture(api, `${id}/push?x=1`, {
    raw: bytes,
    headers: {
      "Content-Type": "application/octet-stream",
      "X-Hub-Signature-256": signature,
      Authorization: "Basic c2VjcmV0",
    },
  });
  const replayed = await api("POST", `/api/webhooks/${id}/events/${eventId}/replay`, {
    body: { url: `${target.url}/again` },
  });
  expectStatus(replayed, 201);
  expect(replayed.body).toMatchObject({ object: "scheduled_message", organization_id: null });
  expect(replayed.headers.get("location")).toBe(`/api/messages/${replayed.body.id}`);
  expect(replayed.body.claim_token).toMatch(/^clm_/);
  const received = await arrival(target);
  expect(received).toMatchObject({ method: "POST", path: "/again" });
  expect(received.body.equals(bytes)).toBe(true);
  expect(received.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-length": "3000",
    "x-hub-signature-256": signature,
    // Of a public endpoint's message too the ID is the permission.
    "replay-message-id": publicWebhookId(replayed.body.id),
    "replay-attempt": "1",
  });
  for (const name of ["authorization", "webhook-id", "webhook-signature", "message-attempt"])
    expect(received.headers).not.toHaveProperty(name);
  await target.stop();
});

test("A replay omits the sender's credentials unless the caller supplies them", async ({
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const headers = {
    authorization: "Basic c2VjcmV0",
    cookie: "a=1",
    "x-api-key": key,
    "x-kept": "1",
  };
  const eventId = await capture(api, id, { raw: "x", headers });
  const replay = async (given: object) => {
    const body = { url: "http://localhost/", ...given };
    const made = await api("POST", `/api/webhooks/${id}/events/${eventId}/replay`, { key, body });
    expectStatus(made, 201);
    const message = await api("GET", `/api/messages/${made.body.id}`, { key });
    return JSON.parse(message.text).headers;
  };
  const sent = await replay({});
  expect(sent["x-kept"]).toBe("1");
  for (const name of ["authorization", "cookie", "x-api-key"])
    expect(sent).not.toHaveProperty(name);
  expect(await replay({ headers: { authorization: "Basic mine" } })).toEqual({
    authorization: "Basic mine",
  });
});

test("The caller's method and headers override those of the event", async ({ api }) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api);
  const eventId = await capture(api, id, { raw: "x", headers: { "X-Old": "1" } });
  const body = { url: target.url, method: "PATCH", headers: { "X-New": "2" } };
  expectStatus(await api("POST", `/api/webhooks/${id}/events/${eventId}/replay`, { body }), 201);
  const received = await arrival(target);
  expect(received.method).toBe("PATCH");
  expect(received.headers["x-new"]).toBe("2");
  expect(received.headers["x-old"]).toBeUndefined();
  // These are the caller's headers, so the message is signed like any other.
  expect(received.headers["webhook-signature"]).toMatch(/^v1a,/);
  await target.stop();
});

test("A replay needs access to the endpoint, one of its events and a valid URL", async ({
  api,
  organization,
  key,
  otherOrganization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const eventId = await capture(api, id, { raw: "x" });
  const path = `/api/webhooks/${id}/events/${eventId}/replay`;
  const body = { url: "http://localhost/" };
  expectError(await api("POST", path, { body }), 403, "forbidden");
  expectError(await api("POST", path, { body, key: otherOrganization.key }), 403, "forbidden");
  const readOnly = await api("POST", path, { body, key: organization.readKey });
  expectError(readOnly, 403, "insufficient_scope");
  const other = `/api/webhooks/${id}/events/wev_unknown/replay`;
  expectError(await api("POST", other, { body, key }), 404, "resource_not_found");
  const blocked = await api("POST", path, { key, body: { url: "http://10.0.0.1/" } });
  expectError(blocked, 400, "url_not_allowed", "url");
  const reserved = await api("POST", path, { key, body: { ...body, headers: { te: "x" } } });
  expectError(reserved, 400, "header_not_allowed", "headers.te");
  const owned = await api("POST", path, { key, body });
  expectStatus(owned, 201);
  expect(owned.body.organization_id).toBe(organization.id);
  expect(owned.body.claim_token).toBeUndefined();
});

test("Signatures of Standard Webhooks and of Stripe verify at the target of a replay", async ({
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const webhook = new Webhook(secret);
  const body = '{"type":"invoice.paid",  "amount":12345678901234567890}';
  const sentAt = new Date();
  const event = await capture(api, id, {
    raw: body,
    headers: {
      "Content-Type": "application/json",
      "webhook-id": "msg_of_the_sender",
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": webhook.sign("msg_of_the_sender", sentAt, body),
      ...stripeHeaders("stripe secret", body),
    },
  });
  const verdicts: unknown[] = [];
  const target = await startTarget((response, { headers, body }) => {
    const text = body.toString();
    const [, time = "", signature] =
      /^t=(\d+),v1=(\w+)$/.exec(`${headers["stripe-signature"]}`) ?? [];
    const expected = createHmac("sha256", "stripe secret").update(`${time}.${text}`).digest("hex");
    verdicts.push([
      webhook.verify(text, headers as Record<string, string>),
      signature === expected,
    ]);
    response.end("verified");
  });
  // And by another endpoint of ours, which checks signatures itself.
  const checking = await makeEndpoint(api, { key });
  const settings = { key, body: { scheme: "standard_webhooks", secret } };
  expectStatus(await api("PUT", `/api/webhooks/${checking.id}/verification`, settings), 200);
  for (const url of [target.url, checking.url]) {
    const path = `/api/webhooks/${id}/events/${event}/replay`;
    expectStatus(await api("POST", path, { key, body: { url } }), 201);
  }
  await arrival(target);
  expect(verdicts).toEqual([[JSON.parse(body), true]]);
  const list = () => listEvents(api, checking.id, {}, key);
  await expect.poll(async () => (await list()).data.length).toBe(1);
  expect((await list()).data[0]).toMatchObject({
    verified: true,
    headers: { "webhook-id": "msg_of_the_sender" },
  });
  await target.stop();
});

test("All of the sender's headers are replayed, however many", async ({ api, key }) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api, { key });
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`x-${n}`, `${n}`]));
  const event = await capture(api, id, { raw: "x", headers: { ...many, "message-attempt": "9" } });
  const path = `/api/webhooks/${id}/events/${event}/replay`;
  expectStatus(await api("POST", path, { key, body: { url: target.url } }), 201);
  expect((await arrival(target)).headers).toMatchObject({ ...many, "message-attempt": "9" });
  await target.stop();
});

test("A replay that gets other headers before it is sent is signed like other messages", async ({
  api,
  db,
  key,
}) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api, { key });
  const event = await capture(api, id, { raw: "x", headers: { "x-theirs": "1" } });
  const body = { url: target.url };
  const made = await api("POST", `/api/webhooks/${id}/events/${event}/replay`, { key, body });
  await arrival(target);
  const message = `/api/messages/${made.body.id}`;
  await expect.poll(async () => (await api("GET", message, { key })).body.status).toBe("delivered");
  // As if it were held.
  await db.query(
    "UPDATE scheduled_messages SET status = 'scheduled', due_at = unix_now() + 3600 WHERE id = $1",
    [made.body.id],
  );
  const changes = { headers: { "x-own": "1" }, delay_seconds: 0 };
  expectStatus(await api("PATCH", message, { key, body: changes }), 200);
  const [, again] = await arrivals(api, target, 2);
  expect(again?.headers).toMatchObject({
    "x-own": "1",
    "webhook-id": made.body.id,
    "webhook-signature": expect.any(String),
  });
  expect(again?.headers).not.toHaveProperty("x-theirs");
  await target.stop();
});

test("A replay has one attempt, unless it asks for retries", async ({ api, key }) => {
  const target = await startTarget((response) => void response.writeHead(500).end("broken"));
  const { id } = await makeEndpoint(api, { key });
  const event = await capture(api, id, { raw: "x" });
  const path = `/api/webhooks/${id}/events/${event}`;
  const replay = async (headers: Record<string, string>) => {
    const made = await api("POST", `${path}/replay`, { key, headers, body: { url: target.url } });
    expectStatus(made, 201);
    const message = `/api/messages/${made.body.id}`;
    const read = async () => jsonOf<Message>(await api("GET", message, { key }));
    await expect.poll(async () => (await read()).status).toBe("failed");
    return read();
  };
  expect(await replay({})).toMatchObject({ attempts: 1, next_attempt_at: null });
  expect(await replay({ "Replay-Retry": "false" })).toMatchObject({ next_attempt_at: null });
  const retried = await replay({ "Replay-Retry": "true" });
  expect(retried.next_attempt_at).toEqual(expect.any(Number));
  const body = { url: target.url };
  const refused = await api("POST", `${path}/replay`, {
    key,
    headers: { "Replay-Retry": "yes" },
    body,
  });
  expectError(refused, 400, "invalid_param", "Replay-Retry");
  await target.stop();
});

test("The replays of an event are listed with their responses, to the organization that asked for them", async ({
  api,
  key,
  otherOrganization,
}) => {
  const target = await startTarget((response) => void response.writeHead(410).end("gone for good"));
  const { id } = await makeEndpoint(api);
  const event = await capture(api, id, { raw: "x" });
  const other = await capture(api, id, { raw: "y" });
  const replays = async (event: string, key?: string) => {
    const response = await api("GET", `/api/webhooks/${id}/events/${event}/replays`, { key });
    expectStatus(response, 200);
    return response.body.data;
  };
  const body = { url: `${target.url}/a` };
  const made = await api("POST", `/api/webhooks/${id}/events/${event}/replay`, { key, body });
  await expect.poll(async () => (await replays(event, key))[0]?.status).toBe("failed");
  expect(await replays(event, key)).toEqual([
    {
      id: made.body.id,
      object: "webhook_event_replay",
      event_id: event,
      replay_id: null,
      url: `${target.url}/a`,
      method: "POST",
      status: "failed",
      attempts: 1,
      response_status: 410,
      response_body: "gone for good",
      duration_ms: expect.any(Number),
      error: "http_410: The target returned 410.",
      created_at: made.body.created_at,
      next_attempt_at: null,
    },
  ]);
  expect(await replays(other, key)).toEqual([]);
  // The endpoint is public, this message is not.
  expect(await replays(event)).toEqual([]);
  expect(await replays(event, otherOrganization.key)).toEqual([]);
  // This one is, and its ID would let anybody read its headers.
  const headers = { authorization: "Basic mine" };
  const open = await api("POST", `/api/webhooks/${id}/events/${event}/replay`, {
    body: { url: `${target.url}/open`, headers },
  });
  expectStatus(open, 201);
  expect(await replays(event)).toEqual([]);
  expect(await replays(event, otherOrganization.key)).toEqual([]);
  for (const tab of ["replays", "journey"]) {
    const page = await api("GET", `/webhooks/${id}/events/${event}`, { query: { tab } });
    expectStatus(page, 200);
    expect(page.text).not.toContain(open.body.id);
    expect(page.text).not.toContain(`${target.url}/open`);
  }
  const missing = await api("GET", `/api/webhooks/${id}/events/wev_0/replays`);
  expectError(missing, 404, "resource_not_found");
  await target.stop();
});

for (const [whose, given] of [
  ["the sender's headers", {}],
  ["headers of its own", { headers: { "x-mine": "1", "Replay-Message-Id": "" } }],
] as const) {
  test(`A replay that asks for itself with ${whose} ends there`, async ({
    api,
    db,
    key,
    baseUrl,
  }) => {
    const { id } = await makeEndpoint(api);
    const path = (event: string) => `/api/webhooks/${id}/events/${event}/replay`;
    const event = await capture(api, id, { raw: "x" });
    // Its body asks to replay the first event, to the URL that replays this one.
    const raw = JSON.stringify({ url: `${baseUrl}${path(event)}` });
    const asking = await capture(api, id, { raw, headers: { "Content-Type": "application/json" } });
    const body = { url: `${baseUrl}${path(asking)}`, ...given };
    const made = await api("POST", path(asking), { key, body });
    expectStatus(made, 201);
    const message = `/api/messages/${made.body.id}`;
    const read = async () => jsonOf<Message>(await api("GET", message, { key }));
    await expect.poll(async () => (await read()).response_status).toBe(403);
    const where = { replayed_endpoint_id: id };
    expect(await rowsOf(db).scheduledMessage.count({ where })).toBe(1);
  });
}

/** Waits until the target has received a request. Nothing here dispatches. */
async function arrival(target: Target) {
  await expect.poll(() => target.received.length).toBe(1);
  const [received] = target.received;
  if (!received) throw new Error("Nothing arrived.");
  return received;
}
