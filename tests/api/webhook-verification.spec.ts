import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type Api, jsonOf } from "../support/http";
import { rowsOf } from "../support/rows";
import { githubHeaders, stripeHeaders } from "../support/signatures";
import { allEvents, capture, makeEndpoint, readEvent, setClockBack } from "../support/webhooks";

/** Verification of captured events by the signatures of their senders. */

const SECRET = "It's a Secret to Everybody";

interface Verification {
  header: string;
  encoding: string;
  tolerance_seconds: number | null;
  previous_secret_expires_at: number | null;
}

test("Events say whether their signature is valid, by the exact bytes, and the sender gets 200 either way", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  const before = await capture(api, id, { raw: "x" });
  await verifyWith(api, id, { scheme: "github", secret: SECRET });
  // Not UTF-8, so any conversion of the body would change it.
  const bytes = randomBytes(5000);
  const headers = githubHeaders(SECRET, bytes);
  const good = await capture(api, id, { raw: bytes, headers });
  const bad = await capture(api, id, { raw: bytes.subarray(1), headers });
  const none = await capture(api, id, { raw: bytes });
  const event = (eventId: string) => readEvent(api, id, eventId);
  expect(await event(before)).toMatchObject({
    verified: null,
    verification_reason: "not_configured",
  });
  expect(await event(good)).toMatchObject({
    verified: true,
    verification_reason: "signature_valid",
  });
  expect(await event(bad)).toMatchObject({
    verified: false,
    verification_reason: "signature_mismatch",
  });
  expect(await event(none)).toMatchObject({
    verified: false,
    verification_reason: "signature_missing",
  });
  expect((await allEvents(api, id)).map(({ verified }) => verified)).toEqual([
    false,
    false,
    true,
    null,
  ]);
});

test("Without settings a capture is no failed signature, even if an earlier one was", async ({
  api,
  db,
  key,
}) => {
  const [removed, kept] = [await makeEndpoint(api, { key }), await makeEndpoint(api, { key })];
  for (const { id } of [removed, kept]) {
    const body = { scheme: "github", secret: SECRET };
    expectStatus(await api("PUT", `/api/webhooks/${id}/verification`, { key, body }), 200);
    await capture(api, id, { raw: "x" });
  }
  expectStatus(await api("DELETE", `/api/webhooks/${removed.id}/verification`, { key }), 204);
  for (const id of [removed.id, removed.id, kept.id]) await capture(api, id, { raw: "x" });
  // Counts are written together.
  await expect.poll(() => failuresOf(db, kept.id)).toBe(2);
  expect(await failuresOf(db, removed.id)).toBe(1);
});

test("A valid signature that is late counts as one that failed", async ({ api, db, key }) => {
  const { id } = await makeEndpoint(api, { key });
  const put = async (body: object) =>
    expectStatus(await api("PUT", `/api/webhooks/${id}/verification`, { key, body }), 200);
  await put({ scheme: "stripe", secret: SECRET });
  for (const time of [undefined, 0]) {
    await capture(api, id, { raw: "x", headers: stripeHeaders(SECRET, "x", time) });
  }
  for (const secret of ["Old", "New"]) await put({ scheme: "github", secret });
  await endPreviousSecret(db, id);
  for (const secret of ["Old", "New"]) {
    await capture(api, id, { raw: "x", headers: githubHeaders(secret, "x") });
  }
  const verified = (await allEvents(api, id, {}, key)).map((event) => event.verified);
  expect(verified).toEqual([true, false, false, true]);
  await expect.poll(() => failuresOf(db, id)).toBe(2);
});

test("Settings apply to the next capture, even if an earlier one has been checked", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  const path = `/api/webhooks/${id}/verification`;
  const verified = async (secret: string) => {
    const eventId = await capture(api, id, { raw: "x", headers: githubHeaders(secret, "x") });
    return (await readEvent(api, id, eventId)).verified;
  };
  for (const secret of ["The first one", "The second one"]) {
    await verifyWith(api, id, { scheme: "github", secret });
    expect(await verified(secret)).toBe(true);
    expect(await verified("Another one")).toBe(false);
    expectStatus(await api("DELETE", path), 204);
    expect(await verified(secret)).toBeNull();
    expectError(await api("GET", path), 404, "resource_not_found");
    expectError(await api("DELETE", path), 404, "resource_not_found");
  }
});

test("After a rotation the previous secret stays valid for 24 hours, the one before it does not", async ({
  api,
  db,
}) => {
  const { id } = await makeEndpoint(api);
  const put = (secret: string) => verifyWith(api, id, { scheme: "github", secret });
  const verified = async (secret: string) => {
    const eventId = await capture(api, id, { raw: "x", headers: githubHeaders(secret, "x") });
    return (await readEvent(api, id, eventId)).verified;
  };
  expect((await put("First")).previous_secret_expires_at).toBeNull();
  const { previous_secret_expires_at: end } = await put("Second");
  expect((end ?? 0) - Date.now() / 1000).toBeGreaterThan(86_300);
  expect((end ?? 0) - Date.now() / 1000).toBeLessThan(86_500);
  expect([await verified("First"), await verified("Second")]).toEqual([true, true]);
  // The same secret again is not a rotation.
  expect((await put("Second")).previous_secret_expires_at).toBe(end);
  expect(await verified("First")).toBe(true);
  await put("Third");
  expect([await verified("First"), await verified("Second"), await verified("Third")]).toEqual([
    false,
    true,
    true,
  ]);
  const settings = `/api/webhooks/${id}/verification`;
  const tag = (await api("GET", settings)).headers.need("etag");
  // The database's clock decides, not a time that a process remembers.
  await endPreviousSecret(db, id);
  expect([await verified("Second"), await verified("Third")]).toEqual([false, true]);
  const shown = jsonOf<Verification>(await api("GET", settings));
  expect(shown.previous_secret_expires_at).toBeNull();
  // That time has passed is no change by anybody.
  const body = { scheme: "github", secret: "Third" };
  expectStatus(await api("PUT", settings, { body, headers: { "if-match": tag } }), 200);
  // Another scheme is another sender.
  await verifyWith(api, id, { scheme: "shopify", secret: "Fourth" });
  await verifyWith(api, id, { scheme: "github", secret: "Fifth" });
  expect(await verified("Third")).toBe(false);
});

test("A signed time must be within the tolerance, in the past and in the future", async ({
  api,
  db,
}) => {
  const { id } = await makeEndpoint(api);
  await verifyWith(api, id, { scheme: "stripe", secret: SECRET, tolerance_seconds: 100 });
  await setClockBack(db, id);
  const now = Math.floor(Date.now() / 1000);
  const outcomes = [];
  for (const time of [now, now - 90, now + 90, now - 120, now + 120, 0]) {
    const headers = stripeHeaders(SECRET, "x", time);
    const eventId = await capture(api, id, { raw: "x", headers });
    const { verified, verification_reason } = await readEvent(api, id, eventId);
    outcomes.push([verified, verification_reason]);
  }
  expect(outcomes).toEqual([
    ...Array(3).fill([true, "signature_valid"]),
    ...Array(3).fill([false, "timestamp_out_of_tolerance"]),
  ]);
});

test("Captures that arrive together are each checked by their own endpoint's settings", async ({
  api,
}) => {
  const endpoints = await Promise.all(
    Array.from({ length: 5 }, async (_, n) => {
      const { id } = await makeEndpoint(api);
      const secret = n === 0 ? undefined : `Secret ${n}`;
      if (secret !== undefined) await verifyWith(api, id, { scheme: "github", secret });
      return { id, secret };
    }),
  );
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      Promise.all(
        endpoints.map(({ id, secret }) =>
          capture(api, id, {
            raw: `${n}`,
            headers: githubHeaders(n % 2 === 0 ? (secret ?? "x") : "Wrong", `${n}`),
          }),
        ),
      ),
    ),
  );
  for (const { id, secret } of endpoints) {
    const events = await allEvents(api, id);
    expect(events).toHaveLength(20);
    for (const { body, verified } of events) {
      expect(verified).toBe(secret === undefined ? null : Number(body) % 2 === 0);
    }
  }
});

test("A body that was cut off, or a secret sealed by another server secret, fails the check", async ({
  api,
  db,
}) => {
  const { id } = await makeEndpoint(api);
  await verifyWith(api, id, { scheme: "github", secret: SECRET });
  const long = "x".repeat(1_000_001);
  const cut = await capture(api, id, { raw: long, headers: githubHeaders(SECRET, long) });
  expect((await readEvent(api, id, cut)).verification_reason).toBe("body_truncated");
  await db.query(
    `WITH changed AS (
       UPDATE webhook_verifications SET secret = decode(repeat('00', 60), 'hex') WHERE endpoint_id = $1)
     UPDATE endpoint_state SET flow_version = flow_version + 1 WHERE endpoint_id = $1`,
    [id],
  );
  const unreadable = await capture(api, id, { raw: "x", headers: githubHeaders(SECRET, "x") });
  expect((await readEvent(api, id, unreadable)).verification_reason).toBe("secret_unreadable");
});

test("The secret is never shown again, and is stored encrypted", async ({
  api,
  db,
  key,
  organization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const path = `/api/webhooks/${id}/verification`;
  const secret = "A-secret-that-nobody-else-has";
  const responses = [
    await api("PUT", path, { key, body: { scheme: "hmac", header: "X-Mac", secret } }),
    await api("GET", path, { key }),
    await api("GET", `/api/webhooks/${id}`, { key }),
  ];
  for (const response of responses) {
    expectStatus(response, 200);
    expect(response.text).not.toContain(secret);
  }
  expect(responses.slice(0, 2).map((response) => jsonOf<Verification>(response))[1]).toMatchObject({
    header: "x-mac",
    encoding: "hex",
    tolerance_seconds: null,
  });
  const stored = await rowsOf(db).webhookVerification.findUniqueOrThrow({
    where: { endpoint_id: id },
  });
  expect(Buffer.from(stored.secret).includes(secret)).toBe(false);
  expectStatus(await api("DELETE", path, { key }), 204);
  const log = await db.query<{ action: string; data: object }>(
    "SELECT action, data FROM audit_events WHERE organization_id = $1 ORDER BY id",
    [organization.id],
  );
  expect(log.rows).toMatchObject([
    { action: "webhook.verification_set", data: { endpoint: id, scheme: "hmac" } },
    { action: "webhook.verification_removed", data: { endpoint: id } },
  ]);
  expect(JSON.stringify(log.rows)).not.toContain(secret);
});

test("A credential may carry the signature, though public endpoints do not record it", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  await verifyWith(api, id, {
    scheme: "hmac",
    secret: SECRET,
    header: "Authorization",
    encoding: "base64",
  });
  const mac = createHmac("sha256", SECRET).update("x").digest("base64");
  const eventId = await capture(api, id, { raw: "x", headers: { Authorization: `HMAC ${mac}` } });
  expect(await readEvent(api, id, eventId)).toMatchObject({
    verified: true,
    headers: { authorization: "[redacted]" },
  });
});

test("Invalid settings are refused, and the error names the field", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const refusals: [object, string, string][] = [
    [{ secret: "x" }, "missing_required_param", "scheme"],
    [{ scheme: "github" }, "missing_required_param", "secret"],
    [{ scheme: "gitlab", secret: "x" }, "invalid_param", "scheme"],
    [{ scheme: "github", secret: "" }, "invalid_param", "secret"],
    [{ scheme: "github", secret: "x".repeat(10_000) }, "invalid_param", "secret"],
    [{ scheme: "github", secret: "\0" }, "invalid_param", "secret"],
    [{ scheme: "github", secret: 5 }, "invalid_param", "secret"],
    [{ scheme: "standard_webhooks", secret: "whsec_" }, "invalid_param", "secret"],
    [{ scheme: "standard_webhooks", secret: "not base64!" }, "invalid_param", "secret"],
    [{ scheme: "hmac", secret: "x" }, "missing_required_param", "header"],
    [{ scheme: "hmac", secret: "x", header: "a b" }, "invalid_param", "header"],
    [{ scheme: "hmac", secret: "x", header: "" }, "invalid_param", "header"],
    [{ scheme: "hmac", secret: "x", header: "a", encoding: "utf8" }, "invalid_param", "encoding"],
    [
      { scheme: "hmac", secret: "x", header: "a", tolerance_seconds: 5 },
      "invalid_param",
      "tolerance_seconds",
    ],
    [{ scheme: "github", secret: "x", header: "a" }, "invalid_param", "header"],
    [{ scheme: "github", secret: "x", encoding: "hex" }, "invalid_param", "encoding"],
    [{ scheme: "github", secret: "x", tolerance_seconds: 5 }, "invalid_param", "tolerance_seconds"],
    [{ scheme: "slack", secret: "x", tolerance_seconds: 0 }, "invalid_param", "tolerance_seconds"],
    [
      { scheme: "slack", secret: "x", tolerance_seconds: 1e9 },
      "invalid_param",
      "tolerance_seconds",
    ],
    [{ scheme: "github", secret: "x", secrets: [] }, "unknown_param", "secrets"],
  ];
  for (const [body, code, param] of refusals) {
    const response = await api("PUT", `/api/webhooks/${id}/verification`, { body });
    expectError(response, 400, code, param);
  }
  expectError(await api("GET", `/api/webhooks/${id}/verification`), 404, "resource_not_found");
});

test("The creator's verification and forward follow their endpoint through a claim and a deletion", async ({
  api,
  db,
  key,
}) => {
  const { id, claim_token } = await makeEndpoint(api);
  await verifyWith(api, id, { scheme: "github", secret: SECRET, claim_token });
  const forward = { body: { url: "https://example.com/hook", claim_token } };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, forward), 200);
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
  for (const part of ["verification", "forward"]) {
    const path = `/api/webhooks/${id}/${part}`;
    expectError(await api("GET", path), 403, "forbidden");
    expect((await api("GET", path, { key })).body.organization_id).not.toBeNull();
  }
  const eventId = await capture(api, id, { raw: "x", headers: githubHeaders(SECRET, "x") });
  expect((await readEvent(api, id, eventId, key)).verified).toBe(true);
  expectStatus(await api("DELETE", `/api/webhooks/${id}`, { key }), 204);
  for (const table of ["webhook_verifications", "webhook_forwards"]) {
    const { rows } = await db.query(`SELECT 1 FROM ${table} WHERE endpoint_id = $1`, [id]);
    expect(rows).toEqual([]);
  }
});

/** How many captures of the endpoint counted as failed signatures. */
async function failuresOf(db: Pool, id: string): Promise<number | null | undefined> {
  const sum = "SELECT sum(count)::int AS n FROM signature_failures WHERE endpoint_id = $1";
  return (await db.query<{ n: number | null }>(sum, [id])).rows[0]?.n;
}

/** As a day after its rotation. */
async function endPreviousSecret(db: Pool, id: string): Promise<void> {
  await db.query(
    `WITH ended AS (
       UPDATE webhook_verifications SET previous_until = unix_now() - 1 WHERE endpoint_id = $1)
     UPDATE endpoint_state SET flow_version = flow_version + 1 WHERE endpoint_id = $1`,
    [id],
  );
}

async function verifyWith(api: Api, id: string, body: object): Promise<Verification> {
  const response = await api("PUT", `/api/webhooks/${id}/verification`, { body });
  expectStatus(response, 200);
  return jsonOf<Verification>(response);
}
