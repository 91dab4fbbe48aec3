import type { Pool } from "pg";
import { Webhook } from "standardwebhooks";
import type { SigningSecret } from "@/lib/resources/messages/signing-secret";
import { verifySignature } from "@/packages/client/src/index";
import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type Api, jsonOf } from "../support/http";
import { rowsOf } from "../support/rows";
import { type Received, startTarget, type Target } from "../support/target";

/** The organization's signing secret, and the `v1` signatures that receivers verify with it. */

function secretClient(api: Api, key: string) {
  return {
    async read(): Promise<SigningSecret> {
      const response = await api("GET", "/api/signing-secret", { key });
      expectStatus(response, 200);
      expect(response.headers.get("cache-control")).toContain("no-store");
      return jsonOf<SigningSecret>(response);
    },
    rotate: (headers = {}) => api("POST", "/api/signing-secret/rotate", { key, headers }),
  };
}

/** Moves the organization's last rotation into the past. */
async function age(db: Pool, organizationId: string, seconds: number) {
  await db.query(
    `UPDATE organizations SET signing_secret_rotated_at = signing_secret_rotated_at - $2::bigint
     WHERE id = $1`,
    [organizationId, seconds],
  );
}

/** Sends a message and returns the last request that the target received for it. */
async function delivered(api: Api, target: Target, path: string, key?: string): Promise<Received> {
  const body = { url: `${target.url}${path}`, body: '{"text":"café"}', delay_seconds: 0 };
  expectStatus(await api("POST", "/api/messages", { key, body }), 201);
  return arrival(api, target, path);
}

async function arrival(api: Api, target: Target, path: string, count = 1): Promise<Received> {
  const arrived = () => target.received.filter((one) => one.path === path);
  await expect
    .poll(
      async () => {
        await api("POST", "/api/messages/dispatch");
        return arrived().length;
      },
      { timeout: 45_000 },
    )
    .toBe(count);
  const last = arrived().at(-1);
  if (!last) throw new Error("Nothing arrived.");
  return last;
}

/** Whether the reference library accepts a request. */
function verifies(secret: string, { headers, body }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const versionsOf = ({ headers }: Received) =>
  String(headers["webhook-signature"])
    .split(" ")
    .map((one) => one.split(",")[0]);

test("The reference library verifies a delivery with the secret, and with no other", async ({
  api,
  key,
  otherOrganization,
}) => {
  const target = await startTarget();
  const { secret } = await secretClient(api, key).read();
  const other = await secretClient(api, otherOrganization.key).read();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(other.secret).not.toBe(secret);
  const got = await delivered(api, target, "/owned", key);
  expect(versionsOf(got)).toEqual(["v1", "v1a"]);
  expect(verifies(secret, got)).toBe(true);
  expect(verifies(other.secret, got)).toBe(false);
  expect(verifies(secret, { ...got, body: Buffer.from('{"text":"cafe"}') })).toBe(false);
  const tampered = { ...got.headers, "webhook-id": "msg_other" };
  expect(verifies(secret, { ...got, headers: tampered })).toBe(false);
  await target.stop();
});

test("A message without an owner has a v1a signature only, and both once it is claimed", async ({
  api,
  key,
}) => {
  const target = await startTarget();
  expect(versionsOf(await delivered(api, target, "/public"))).toEqual(["v1a"]);
  const body = { url: `${target.url}/claimed`, delay_seconds: 3600 };
  const { id, claim_token } = (await api("POST", "/api/messages", { body })).body;
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
  expectStatus(await api("PATCH", `/api/messages/${id}`, { key, body: { delay_seconds: 0 } }), 200);
  const claimed = await arrival(api, target, "/claimed");
  expect(versionsOf(claimed)).toEqual(["v1", "v1a"]);
  expect(verifies((await secretClient(api, key).read()).secret, claimed)).toBe(true);
  await target.stop();
});

test("Retries are signed too, and replays with headers of the caller", async ({ api, key }) => {
  const target = await startTarget((response) => {
    response.statusCode = target.received.length === 1 ? 500 : 200;
    response.end();
  });
  const { secret } = await secretClient(api, key).read();
  const body = { url: `${target.url}/retried`, body: "once more", delay_seconds: 0 };
  const { id } = (await api("POST", "/api/messages", { key, body })).body;
  await arrival(api, target, "/retried");
  await expect
    .poll(async () => (await api("GET", `/api/messages/${id}`, { key })).body.status)
    .toBe("failed");
  expectStatus(await api("POST", `/api/messages/${id}/retry`, { key }), 200);
  const retried = await arrival(api, target, "/retried", 2);
  expect(retried.headers["message-attempt"]).toBe("2");
  expect(verifies(secret, { ...retried, body: Buffer.from("once less") })).toBe(false);
  expect(() =>
    new Webhook(secret).verify(retried.body, retried.headers as Record<string, string>, {
      jsonParse: false,
    }),
  ).not.toThrow();

  const endpoint = (await api("POST", "/api/webhooks", { key, body: { name: "Replayed" } })).body;
  const { event_id } = jsonOf<{ event_id: string }>(
    await api("POST", `/api/catch/${endpoint.id}`, { body: { captured: true } }),
  );
  const replay = `/api/webhooks/${endpoint.id}/events/${event_id}/replay`;
  const replayed = { url: `${target.url}/replayed`, headers: { "x-run": "2" } };
  expectStatus(await api("POST", replay, { key, body: replayed }), 201);
  expect(verifies(secret, await arrival(api, target, "/replayed"))).toBe(true);
  await target.stop();
});

test("Schedules' calls, forwards and pushed changes are signed with both versions too", async ({
  api,
  key,
  organization,
}) => {
  const target = await startTarget();
  const { secret } = await secretClient(api, key).read();
  const { keys } = jsonOf<{ keys: { public_key: string }[] }>(
    await api("GET", `/.well-known/webhook-signing-keys.json?organization=${organization.id}`),
  );
  const expectBoth = async (got: Received) => {
    expect(versionsOf(got)).toEqual(["v1", "v1a"]);
    expect(verifies(secret, got)).toBe(true);
    const { headers, body } = got;
    const publicKeys = keys.map((one) => one.public_key);
    await verifySignature({ headers, body: body.toString() }, publicKeys);
  };
  const subscription = { url: `${target.url}/pushed`, kinds: ["webhooks"], actions: ["created"] };
  expectStatus(await api("POST", "/api/subscriptions", { key, body: subscription }), 200);
  const { id } = (await api("POST", "/api/webhooks", { key, body: { name: "Forwarding" } })).body;
  await expectBoth(await arrival(api, target, "/pushed"));
  const forward = { url: `${target.url}/forwarded` };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { key, body: forward }), 200);
  // Not with the sender's signature, which is of another secret.
  const headers = { "webhook-id": "theirs", "webhook-timestamp": "1", "webhook-signature": "v1,x" };
  expectStatus(await api("POST", `/api/catch/${id}`, { headers, body: { a: 1 } }), 200);
  await expectBoth(await arrival(api, target, "/forwarded"));
  const calling = { every_seconds: 3600, target: { message: { url: `${target.url}/called` } } };
  const schedule = (await api("POST", "/api/schedules", { key, body: calling })).body;
  expectStatus(await api("POST", `/api/schedules/${schedule.id}/run`, { key }), 200);
  await expectBoth(await arrival(api, target, "/called"));
  await target.stop();
});

test("For 24 hours after a rotation both secrets verify, then only the new one", async ({
  api,
  db,
  organization,
}) => {
  const { id, key } = organization;
  const target = await startTarget();
  const { read, rotate } = secretClient(api, key);
  const old = await read();
  expect(old).toMatchObject({ rotated_at: null, old_secret_expires_at: null });
  const rotated = await rotate();
  expectStatus(rotated, 200);
  const fresh = await read();
  expect(JSON.parse(rotated.text)).toEqual(fresh);
  expect(fresh.secret).not.toBe(old.secret);
  expect(fresh.old_secret_expires_at).toBe((fresh.rotated_at ?? 0) + 86_400);

  const during = await delivered(api, target, "/during", key);
  expect(versionsOf(during)).toEqual(["v1", "v1", "v1a"]);
  expect(verifies(old.secret, during)).toBe(true);
  expect(verifies(fresh.secret, during)).toBe(true);

  await age(db, id, 86_400 - 60);
  expectError(await rotate(), 409, "secret_already_rotated");
  expect((await read()).secret).toBe(fresh.secret);
  await age(db, id, 60);
  expect((await read()).old_secret_expires_at).toBeNull();
  const after = await delivered(api, target, "/after", key);
  expect(versionsOf(after)).toEqual(["v1", "v1a"]);
  expect(verifies(old.secret, after)).toBe(false);
  expect(verifies(fresh.secret, after)).toBe(true);

  expectStatus(await rotate(), 200);
  expect(new Set([old.secret, fresh.secret, (await read()).secret]).size).toBe(3);
  await target.stop();
});

test("Of ten rotations at once one succeeds, and a repeat gets the same response", async ({
  api,
  db,
}) => {
  const { key } = await makeOrganization(db);
  const { read, rotate } = secretClient(api, key);
  const responses = await Promise.all(Array.from({ length: 10 }, () => rotate()));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  const other = await makeOrganization(db);
  const again = secretClient(api, other.key);
  const first = await again.rotate({ "Idempotency-Key": "rotate-1" });
  const second = await again.rotate({ "Idempotency-Key": "rotate-1" });
  expect(second.text).toBe(first.text);
  expect((await again.read()).secret).not.toBe((await read()).secret);
});

test("Reading and rotating are audited, HEAD is not, and the database holds no secret", async ({
  api,
  db,
  organization,
}) => {
  const { read, rotate } = secretClient(api, organization.key);
  const old = await read();
  await rotate();
  expectStatus(await api("HEAD", "/api/signing-secret", { key: organization.key }), 200);
  const { secret } = await read();
  const rows = await rowsOf(db).auditEvent.findMany({
    where: { organization_id: organization.id },
    orderBy: { id: "asc" },
  });
  expect(rows.map(({ action }) => action)).toEqual([
    "signing_secret.shown",
    "signing_secret.rotated",
    "signing_secret.shown",
  ]);
  for (const { actor, data } of rows) {
    expect(actor).toMatch(/^key_/);
    expect(data).toEqual({});
  }
  const stored = await db.query("SELECT organizations::text FROM organizations WHERE id = $1", [
    organization.id,
  ]);
  for (const one of [old.secret, secret]) {
    const bytes = Buffer.from(one.slice(6), "base64");
    for (const form of [one.slice(6), bytes.toString("hex")]) {
      expect(JSON.stringify([stored.rows, rows])).not.toContain(form);
    }
  }
});

test("Each organization has public keys of its own, and the server's are listed as anybody's", async ({
  api,
  organization,
  otherOrganization,
}) => {
  const read = async (query = "") => {
    const response = await api("GET", `/.well-known/webhook-signing-keys.json${query}`);
    expectStatus(response, 200);
    return jsonOf<{ description: string; keys: { x: string; organization_id: string | null }[] }>(
      response,
    );
  };
  const own = await read(`?organization=${organization.id}`);
  const other = await read(`?organization=${otherOrganization.id}`);
  const shared = await read();
  expect([own, other, shared].map(({ keys }) => keys[0]?.organization_id)).toEqual([
    organization.id,
    otherOrganization.id,
    null,
  ]);
  expect(new Set([own, other, shared].map(({ keys }) => keys[0]?.x)).size).toBe(3);
  expect(shared.description).toContain("anybody can send");
  const path = "/.well-known/webhook-signing-keys.json?organization=";
  expectError(await api("GET", `${path}org_unknown`), 404, "resource_not_found");
  expectError(await api("GET", path), 400, "invalid_param", "organization");
});
