import { makeAccessToken, makeKey } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect } from "../support/fixtures";
import { formOf, keySession } from "../support/forms";
import { randomText, sha256 } from "../support/keys";
import { test } from "../support/mcp";
import { makePerson, openSession } from "../support/people";

/** What a key with `api.read` alone does not see, and what one without it does. */

const SECRETS = {
  Authorization: `Bearer ${randomText(20)}`,
  cookie: `session=${randomText(20)}`,
  "X-Api-Key": randomText(20),
  "x-auth-token": randomText(20),
  apikey: randomText(20),
  authtoken: randomText(20),
  mysecret: randomText(20),
};
const HEADERS = { ...SECRETS, "X-Kind": "order" };
const HIDDEN = {
  ...HEADERS,
  ...Object.fromEntries(Object.keys(SECRETS).map((name) => [name, "[redacted]"])),
};

test("A read-only key sees no credential in the headers of messages and schedules", async ({
  api,
  baseUrl,
  organization: { key, readKey },
  connect,
}) => {
  const request = { url: "http://127.0.0.1:9/", headers: HEADERS };
  const in30Days = { ...request, delay_seconds: 30 * 86_400 };
  const { body: message } = await api("POST", "/api/messages", { key, body: in30Days });
  const daily = { every_seconds: 86_400, paused: true, target: { message: request } };
  const { body: schedule } = await api("POST", "/api/schedules", { key, body: daily });
  const paths = ["messages", "schedules"].flatMap((list, n) => [
    { path: `/api/${list}` },
    { path: `/api/${list}`, headers: { accept: "application/x-ndjson" } },
    { path: `/api/${list}/${[message.id, schedule.id][n]}` },
  ]);
  for (const { path, headers = {} } of paths) {
    expect(headersIn(await api("GET", path, { key, headers })), path).toEqual(HEADERS);
    expect(headersIn(await api("GET", path, { key: readKey, headers })), path).toEqual(HIDDEN);
  }
  const client = await connect({ key: readKey });
  const sessions = {
    write: await keySession(baseUrl, key),
    read: await keySession(baseUrl, readKey),
  };
  for (const path of [`/messages/${message.id}`, `/schedules/${schedule.id}`]) {
    expect(secretsIn(await page(baseUrl, path, sessions.write)), path).not.toBe(0);
    expect(secretsIn(await page(baseUrl, path, sessions.read)), path).toBe(0);
  }
  for (const { id } of [message, schedule]) {
    const result = JSON.stringify(await client.callTool({ name: "get", arguments: { id } }));
    expect(result).toContain("[redacted]");
    expect(secretsIn(result), id).toBe(0);
  }
});

test("A read-only key sees as much of a public message or schedule as no key, under the same ETag", async ({
  api,
  organization: { readKey },
}) => {
  const request = { url: "http://127.0.0.1:9/", headers: HEADERS };
  const daily = { every_seconds: 86_400, paused: true, target: { message: request } };
  for (const [kind, body] of [
    ["messages", { ...request, delay_seconds: 30 * 86_400 }],
    ["schedules", daily],
  ] as const) {
    const { id } = (await api("POST", `/api/${kind}`, { body })).body;
    const open = await api("GET", `/api/${kind}/${id}`);
    const keyed = await api("GET", `/api/${kind}/${id}`, { key: readKey });
    expect(headersIn(keyed), kind).toEqual(HEADERS);
    expect(keyed.headers.get("etag"), kind).toBe(open.headers.get("etag"));
  }
});

test("A read-only key and its session see nobody's address", async ({
  api,
  baseUrl,
  db,
  organization,
}) => {
  const { id, key, readKey } = organization;
  const person = await makePerson(db, id);
  // As the organization of someone who signs in for the first time.
  await db.query("UPDATE organizations SET name = $2 WHERE id = $1", [id, person.email]);
  const cookie = `session=${await openSession(db, person.id)}`;
  await makeAccessToken(db, id, "api", person.id);
  const asked = `${randomText(12).toLowerCase()}@example.com`;
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, login_hint,
       agent_platform, claimed_at)
     VALUES ($1, 'service_auth', 'api_key', $2, $3, 'Sought agent', unix_now())`,
    [`reg_${randomText(25)}`, id, asked],
  );
  const create = await formOf(baseUrl, "/tasks?new=1", cookie, "name");
  await create({ name: "Made by a person" });
  const write = await formOf(baseUrl, "/artifacts?new=1", cookie, "content");
  await write({ name: "Written by a person", content: "x", format: "markdown" });
  const firstOf = async (path: string) => {
    const { body } = await api("GET", path, { key });
    return `${path}/${body.data[0]?.id}`;
  };
  const [document, task] = [await firstOf("/api/artifacts"), await firstOf("/api/tasks")];
  const note = await formOf(baseUrl, `${task.slice("/api".length)}?tab=notes`, cookie, "body");
  await note({ body: "Noted by a person" });
  for (const path of ["/api/me", `${document}/versions`, `${task}/notes`]) {
    for (const [reader, isShown] of [
      [key, true],
      [readKey, false],
    ] as const) {
      const { text } = await api("GET", path, { key: reader });
      expect(text.includes(person.email), path).toBe(isShown);
    }
  }
  for (const [session, isShown] of [
    [await keySession(baseUrl, key), true],
    [await keySession(baseUrl, readKey), false],
  ] as const) {
    const tabs = ["/keys", "/keys?tab=agents", "/keys?tab=log"];
    const keys = (await Promise.all(tabs.map((path) => page(baseUrl, path, session)))).join();
    expect(keys.includes(asked)).toBe(isShown);
    expect(keys.includes(person.email)).toBe(isShown);
    expect((await page(baseUrl, "/dashboard", session)).includes(person.email)).toBe(isShown);
    // Nor by guessing.
    const found = await page(baseUrl, `/keys?tab=agents&q=${encodeURIComponent(asked)}`, session);
    expect(found.includes("Sought agent")).toBe(isShown);
  }
});

test("A key without api.read opens no session, and an open one shows nothing", async ({
  api,
  baseUrl,
  db,
  organization: { id, key },
}) => {
  const name = `Task ${randomText(12)}`;
  expectStatus(await api("POST", "/api/tasks", { key, body: { name } }), 201);
  const enter = await formOf(baseUrl, "/sign-in", "", "key");
  const refused = await enter({ key: await makeKey(db, id, { scopes: ["api.write"] }) });
  expect(refused.headers["set-cookie"]).toBeUndefined();
  expect(refused.body).toContain("does not have api.read");
  const session = await keySession(baseUrl, key);
  expect(await page(baseUrl, "/tasks", session)).toContain(name);
  await db.query("UPDATE api_keys SET scopes = '{api.write}' WHERE digest = $1", [sha256(key)]);
  expect(await page(baseUrl, "/tasks", session)).not.toContain(name);
});

/** The headers of the only message or schedule in a response. */
function headersIn({ text }: { text: string }): unknown {
  const { data, ...rest } = JSON.parse(text);
  const one = data?.[0] ?? rest;
  return one.headers ?? one.target.message.headers;
}

function secretsIn(text: string): number {
  return Object.values(SECRETS).filter((secret) => text.includes(secret)).length;
}

async function page(baseUrl: string, path: string, cookie: string): Promise<string> {
  const response = await fetch(new URL(path, baseUrl), { headers: { cookie } });
  expect(response.status, path).toBe(200);
  return response.text();
}
