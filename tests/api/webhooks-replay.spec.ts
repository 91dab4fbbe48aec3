import { createHmac, randomBytes } from "node:crypto";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { publicWebhookId } from "../support/messages";
import { startTarget, type Target } from "../support/target";
import { capture, makeEndpoint } from "../support/webhooks";

/** Replaying captured requests. */

test("A replay sends the same bytes, method and headers, so the sender's signature still verifies", async ({
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
  const received = await arrival(api, target);
  expect(received).toMatchObject({ method: "POST", path: "/again" });
  expect(received.body.equals(bytes)).toBe(true);
  expect(received.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-length": "3000",
    "x-hub-signature-256": signature,
    "webhook-id": publicWebhookId(replayed.body.id),
  });
  expect(received.headers.authorization).toBeUndefined();
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
  const received = await arrival(api, target);
  expect(received.method).toBe("PATCH");
  expect(received.headers["x-new"]).toBe("2");
  expect(received.headers["x-old"]).toBeUndefined();
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
  const owned = await api("POST", path, { key, body });
  expectStatus(owned, 201);
  expect(owned.body.organization_id).toBe(organization.id);
  expect(owned.body.claim_token).toBeUndefined();
});

/** Dispatches until the target has received a request. */
async function arrival(api: Api, target: Target) {
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      return target.received.length;
    })
    .toBe(1);
  const [received] = target.received;
  if (!received) throw new Error("Nothing arrived.");
  return received;
}
