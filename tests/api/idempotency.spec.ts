import { makeKey } from "../support/accounts";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { randomText, sha256 } from "../support/keys";

/**
 * `Idempotency-Key`, on creates of tasks. For every operation that takes it see idempotency-atomic.spec.ts
 * and batches-idempotency.spec.ts.
 */

test("A repeated request with the same key is replayed byte for byte and creates nothing", async ({
  api,
  organization,
  key,
  rows,
}) => {
  const options = {
    key,
    headers: { "idempotency-key": randomText(20) },
    body: { name: "Once", labels: ["a"] },
  };
  const first = await api("POST", "/api/tasks", options);
  expectStatus(first, 201);
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  for (let turn = 0; turn < 3; turn += 1) {
    const again = await api("POST", "/api/tasks", options);
    expectStatus(again, 201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(again.headers.get("request-id")).not.toBe(first.headers.get("request-id"));
  }
  const stored = await rows.task.findMany({ where: { organization_id: organization.id } });
  expect(stored).toMatchObject([{ id: first.body.id }]);
});

test("The replay is the original response, even after the task has changed or is gone", async ({
  api,
  key,
}) => {
  const options = { key, headers: { "idempotency-key": randomText(20) }, body: { name: "Before" } };
  const first = await api("POST", "/api/tasks", options);
  await api("PATCH", `/api/tasks/${first.body.id}`, { key, body: { name: "After" } });
  expect((await api("POST", "/api/tasks", options)).text).toBe(first.text);
  await api("DELETE", `/api/tasks/${first.body.id}`, { key });
  const again = await api("POST", "/api/tasks", options);
  expectStatus(again, 201);
  expect(again.text).toBe(first.text);
});

test("The same key with a different body is 422 and creates nothing", async ({
  api,
  organization,
  key,
  rows,
}) => {
  const headers = { "idempotency-key": randomText(20) };
  await api("POST", "/api/tasks", { key, headers, body: { name: "First" } });
  for (const body of [{ name: "Second" }, { name: "First", priority: "high" }]) {
    const refused = await api("POST", "/api/tasks", { key, headers, body });
    expectError(refused, 422, "idempotency_key_reused");
  }
  const stored = await rows.task.findMany({ where: { organization_id: organization.id } });
  expect(stored).toMatchObject([{ name: "First" }]);
});

test("Of parallel requests with one key one creates, and the others replay it or are 409", async ({
  api,
  organization,
  key,
  rows,
}) => {
  for (let round = 0; round < 3; round += 1) {
    const options = {
      key,
      headers: { "idempotency-key": randomText(20) },
      body: { name: `Round ${round}` },
    };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => api("POST", "/api/tasks", options)),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(
      created.filter(({ headers }) => headers.get("idempotency-replayed") === null),
    ).toHaveLength(1);
    for (const response of responses) {
      if (response.status !== 201) expectError(response, 409, "idempotency_in_progress");
    }
    const where = { organization_id: organization.id, name: `Round ${round}` };
    expect(await rows.task.findMany({ where })).toMatchObject([{ id: created[0]?.body.id }]);
    // Requests that were 409 are replayed once the first has completed.
    const later = await api("POST", "/api/tasks", options);
    expect(later.text).toBe(created[0]?.text);
  }
});

test("An Idempotency-Key is scoped to its path and its API key, or to anonymous callers", async ({
  api,
  db,
  organization,
  otherOrganization,
}) => {
  const headers = { "idempotency-key": randomText(20) };
  const body = { name: "Scoped" };
  const callers = [
    organization.key,
    await makeKey(db, organization.id),
    otherOrganization.key,
    undefined,
  ];
  const ids = new Set<string>();
  for (const key of callers) {
    const created = await api("POST", "/api/tasks", { key, headers, body });
    expectStatus(created, 201);
    expect(created.headers.get("idempotency-replayed")).toBeNull();
    ids.add(created.body.id);
    const inbox = await api("POST", "/api/inboxes", { key, headers, body });
    expect(inbox.body.object).toBe("inbox");
  }
  expect(ids.size).toBe(4);
});

test("Both spellings of an endpoint's ID are one path", async ({ api, key }) => {
  const { body: hook } = await api("POST", "/api/webhooks", { key, body: { name: "Hook" } });
  const { body: captured } = await api("POST", `/api/catch/${hook.id}`, { raw: "once" });
  const options = {
    key,
    headers: { "idempotency-key": randomText(20) },
    body: { url: "https://example.com/" },
  };
  const replay = (id: string) =>
    api("POST", `/api/webhooks/${id}/events/${captured.event_id}/replay`, options);
  const first = await replay(hook.id);
  const again = await replay(hook.id.replace("wh_", "whe_"));
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.body.id).toBe(first.body.id);
});

test("Guessing an anonymous caller's key from another address does not replay the response", async ({
  api,
}) => {
  const key = randomText(20);
  const body = { name: "Scoped" };
  const from = (address: string) =>
    api("POST", "/api/tasks", {
      headers: { "idempotency-key": key, "x-forwarded-for": address },
      body,
    });
  const first = await from("203.0.113.5");
  const stranger = await from("203.0.113.6");
  expectStatus(stranger, 201);
  expect(stranger.body.id).not.toBe(first.body.id);
  expect(stranger.body.claim_token).not.toBe(first.body.claim_token);
  // The right-most untrusted hop counts, so a client cannot forge its address.
  const same = await from("203.0.113.6, 203.0.113.5");
  expect(same.text).toBe(first.text);
});

test("A caller whose API key was revoked gets no replay", async ({ api, db, organization }) => {
  const key = await makeKey(db, organization.id);
  const options = { key, headers: { "idempotency-key": randomText(20) }, body: { name: "Once" } };
  expectStatus(await api("POST", "/api/tasks", options), 201);
  await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [sha256(key)]);
  expectError(await api("POST", "/api/tasks", options), 401, "invalid_api_key");
});

test("Keys of 1 to 255 printable ASCII characters are accepted", async ({ api, key }) => {
  const printable = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join("");
  for (const idempotencyKey of ["x", "x".repeat(255), printable, "two words"]) {
    const headers = { "idempotency-key": idempotencyKey };
    const options = { key, headers, body: { name: "Key" } };
    const created = await api("POST", "/api/tasks", options);
    expectStatus(created, 201);
    expect((await api("POST", "/api/tasks", options)).text).toBe(created.text);
  }
});

const BAD_KEYS: Array<[title: string, key: string]> = [
  ["256 characters", "x".repeat(256)],
  ["characters that are not ASCII", "caf\u00e9"],
  ["a tab", "a\tb"],
  ["nothing", ""],
];
test("Any other key is 400 invalid_param, and nothing is created", async ({ api, rows }) => {
  const name = `Refused ${randomText(20)}`;
  await eachOf(BAD_KEYS, async ([_title, key]) => {
    const headers = { "idempotency-key": key };
    const response = await api("POST", "/api/tasks", { headers, body: { name } });
    expectError(response, 400, "invalid_param", "Idempotency-Key");
  });
  expect(await rows.task.count({ where: { name } })).toBe(0);
});

test("A refused request does not consume its key", async ({ api, key }) => {
  const headers = { "idempotency-key": randomText(20) };
  const refused = await api("POST", "/api/tasks", { key, headers, body: {} });
  expectError(refused, 400, "missing_required_param", "name");
  expectStatus(await api("POST", "/api/tasks", { key, headers, body: { name: "Mended" } }), 201);

  const task = await api("POST", "/api/tasks", { key, body: { name: "Not leased" } });
  const complete = () =>
    api("POST", `/api/tasks/${task.body.id}/complete`, {
      key,
      headers,
      body: { lease_id: "lse_of_somebody_else" },
    });
  for (let n = 0; n < 2; n += 1) expectError(await complete(), 409, "lease_lost", "lease_id");
});

test("The stored response reveals neither the claim token nor the Idempotency-Key", async ({
  api,
  db,
}) => {
  const idempotencyKey = `secret-${randomText(30)}`;
  const created = await api("POST", "/api/tasks", {
    headers: { "idempotency-key": idempotencyKey },
    body: { name: "Secret" },
  });
  const { rows } = await db.query<{ dump: string }>(
    "SELECT one::text AS dump FROM idempotency_records AS one",
  );
  expect(rows.length).toBeGreaterThan(0);
  const dump = rows.map((row) => row.dump).join("\n");
  for (const secret of [created.body.claim_token, idempotencyKey]) {
    const bytes = Buffer.from(secret);
    for (const form of [
      secret,
      bytes.toString("hex"),
      bytes.toString("base64").replace(/=+$/, ""),
    ]) {
      expect(dump.includes(form), form).toBe(false);
    }
  }
});

test("An Idempotency-Key on an update has no effect", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "0" } });
  const headers = { "idempotency-key": randomText(20) };
  for (const name of ["1", "2", "1"]) {
    const changed = await api("PATCH", `/api/tasks/${task.id}`, { key, headers, body: { name } });
    expectStatus(changed, 200);
    expect(changed.body.name).toBe(name);
  }
});

test("The same Idempotency-Key with a different query is 422", async ({ api, key }) => {
  const { body: inbox } = await api("POST", "/api/inboxes", { key, body: { name: "Inbox" } });
  const path = `/api/inboxes/${inbox.id}/events`;
  const headers = { "idempotency-key": randomText(20) };
  expectStatus(await api("POST", path, { raw: "x", headers }), 201);
  const other = await api("POST", path, { raw: "x", headers, query: { ttl_seconds: 60 } });
  expectError(other, 422, "idempotency_key_reused");
});

test("The same Idempotency-Key with another Claim-With is 422, which names the header", async ({
  api,
}) => {
  const { claim_token } = (await api("POST", "/api/tasks", { body: { name: "First" } })).body;
  const create = (idempotencyKey: string, claimWith?: string) =>
    api("POST", "/api/tasks", {
      headers: {
        "idempotency-key": idempotencyKey,
        ...(claimWith !== undefined && { "claim-with": claimWith }),
      },
      body: { name: "Second" },
    });
  const [joined, alone] = [randomText(20), randomText(20)];
  expectStatus(await create(joined, claim_token), 201);
  expectStatus(await create(alone), 201);
  for (const response of [await create(joined), await create(alone, claim_token)]) {
    expectError(response, 422, "idempotency_key_reused");
    expect(response.body.error.message).toContain("Claim-With");
  }
});
