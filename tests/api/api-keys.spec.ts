import { makeKey } from "../support/accounts";
import { challenges, eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { makeKeyText, randomText, sha256 } from "../support/keys";
import { databaseNow } from "../support/leases";
import { rowsOf } from "../support/rows";

/** What counts as a credential, and how keys are stored. */

const UNUSABLE: Array<[title: string, authorization: string]> = [
  ["an empty Authorization header", ""],
  ["the scheme alone", "Bearer"],
  ["another scheme", "Basic c3ZjX2xpdmVfOnNlY3JldA=="],
  ["another scheme with a key behind it", `Token ${makeKeyText()}`],
  ["a key without a scheme", makeKeyText()],
  ["a scheme glued to its key", `Bearer${makeKeyText()}`],
  ["a key that was never issued", `Bearer ${makeKeyText()}`],
  ["an access token that was never issued", `Bearer ${makeKeyText("svc_at_")}`],
  ["a key whose checksum is wrong", `Bearer svc_live_${"0".repeat(38)}`],
  ["a key that is too short", "Bearer svc_live_abc"],
  ["a prefix and nothing else", "Bearer svc_live_"],
  ["a key of another service", "Bearer sk_live_0123456789ABCDEFGHIJKLMNOPQRSTUV"],
  ["two words", `Bearer ${makeKeyText()} ${makeKeyText()}`],
  ["a JWT", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9."],
  ["bytes that are not ASCII", "Bearer svc_live_\u00e9\u00ff"],
  ["eight thousand characters", `Bearer svc_live_${"a".repeat(8000)}`],
];

test("With an unusable credential every kind of request is 401 invalid_api_key", async ({
  api,
  baseUrl,
}) => {
  await eachOf(UNUSABLE, async ([_title, authorization]) => {
    await expectUnusable(api, baseUrl, authorization);
  });
});

test("A key or an access token works until the second of its expires_at", async ({
  api,
  baseUrl,
  db,
  organization,
}) => {
  for (const text of [() => makeKeyText(), () => makeKeyText("svc_at_")]) {
    for (const expiresIn of [0, -1, -100_000]) {
      const key = await makeKey(db, organization.id, { text: text(), expiresIn });
      await expectUnusable(api, baseUrl, `Bearer ${key}`);
    }
    const key = await makeKey(db, organization.id, { text: text(), expiresIn: 3600 });
    expectStatus(await api("POST", "/api/tasks", { key, body: { name: "x" } }), 201);
  }
});

test("A revoked key is refused at the next request", async ({ api, db, key }) => {
  expectStatus(await api("GET", "/api/tasks", { key }), 200);
  await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [sha256(key)]);
  expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
});

test("A key of a deleted organization is refused", async ({ api, db, organization, key }) => {
  await db.query("DELETE FROM organizations WHERE id = $1", [organization.id]);
  expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
});

test("The Bearer scheme is case-insensitive and may be followed by several spaces", async ({
  api,
  key,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Mine" } });
  for (const scheme of ["bearer ", "BEARER ", "bEaReR  ", "Bearer     "]) {
    const headers = { authorization: scheme + key };
    const response = await api("GET", `/api/tasks/${task.id}`, { headers });
    expect(response.status, scheme).toBe(200);
  }
});

test("A key of any length that an operator installed works", async ({ api, db, organization }) => {
  for (const length of [20, 37, 39, 120]) {
    const key = await makeKey(db, organization.id, { text: `svc_live_${randomText(length)}` });
    expectStatus(await api("POST", "/api/tasks", { key, body: { name: "Operator" } }), 201);
  }
});

test("The last use of a key is recorded", async ({ api, db, organization }) => {
  const lastUsed = async (key: string) => {
    const where = { digest: sha256(key) };
    return (await rowsOf(db).apiKey.findUniqueOrThrow({ where })).last_used_at;
  };
  const now = await databaseNow(db);
  expect(await lastUsed(organization.key)).toBeNull();
  expectStatus(await api("GET", "/api/tasks", { key: organization.key }), 200);
  await expect.poll(() => lastUsed(organization.key)).toBeGreaterThanOrEqual(now);
  expect(await lastUsed(organization.readKey)).toBeNull();
});

test("A refused key is never echoed in the response", async ({ api }) => {
  const key = makeKeyText();
  const response = await api("GET", "/api/tasks", { key });
  expect(response.text + JSON.stringify(response.headers.pairs)).not.toContain(key.slice(9));
});

async function expectUnusable(api: Api, baseUrl: string, authorization: string) {
  const headers = { authorization };
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Public" } });
  const responses = [
    await api("GET", "/api/tasks", { headers }),
    await api("POST", "/api/tasks", { headers, body: { name: "Never" } }),
    await api("GET", `/api/tasks/${task.id}`, { headers }),
    await api("PATCH", `/api/tasks/${task.id}`, { headers, body: { name: "Never" } }),
    await api("DELETE", `/api/tasks/${task.id}`, { headers }),
    await api("POST", `/api/claim/${task.id}`, {
      headers,
      body: { claim_token: task.claim_token },
    }),
  ];
  for (const response of responses) {
    expectError(response, 401, "invalid_api_key");
    expect(response.headers.all("www-authenticate")).toEqual([
      challenges(baseUrl).invalidCredential,
    ]);
  }
  const after = await api("GET", `/api/tasks/${task.id}`);
  expect(after.body).toMatchObject({ name: "Public", organization_id: null });
}
