import { isList } from "@/lib/api/export";
import { slugOf, tagOf } from "@/lib/api/tags";
import { insertTasks, makeKey } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { unescaped } from "../support/forms";
import { everyOperation } from "../support/operations";
import { cookieOf, makePerson } from "../support/people";
import { pathOf, validRequests } from "../support/requests";
import { capture, fillEndpoint, makeEndpoint } from "../support/webhooks";

/** Whole lists as JSON lines, with `Accept: application/x-ndjson`. */

const headers = { accept: "application/x-ndjson" };

test("An export has every item of the list, in its order and as the list shows it", async ({
  api,
  db,
  organization,
  key,
}) => {
  await insertTasks(db, organization.id, 250);
  const response = await api("GET", "/api/tasks", { key, headers, query: { limit: 2 } });
  expectStatus(response, 200);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="tasks.jsonl"');
  const lines = linesOf(response.text);
  expect(lines).toHaveLength(250);
  const first = await api("GET", "/api/tasks", { key, query: { limit: 100 } });
  expect(lines.slice(0, 100)).toEqual(first.body.data);
  const rest = await api("GET", "/api/tasks", {
    key,
    headers,
    query: { after: lines[199]?.id ?? "" },
  });
  expect(linesOf(rest.text)).toEqual(lines.slice(200));
});

test("An export has the list's filters, and a search goes through all pages", async ({
  api,
  db,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key, max_events: 300 });
  await fillEndpoint(db, { id, count: 220 });
  await capture(api, id, { raw: "needle", headers: { "x-kind": "order" } });
  const path = `/api/webhooks/${id}/events`;
  const all = await api("GET", path, { key, headers });
  expect(linesOf(all.text)).toHaveLength(221);
  const found = await api("GET", path, { key, headers, query: { q: "needle" } });
  expect(linesOf(found.text)).toMatchObject([{ body: "needle" }]);
  const none = await api("GET", path, { key, headers, query: { header: "x-kind: other" } });
  expect(none.text).toBe("");
});

test("An export has what is there and does not wait for more", async ({ api, key }) => {
  const { id } = await makeEndpoint(api, { key });
  const path = `/api/webhooks/${id}/events`;
  const since = await capture(api, id);
  const poll = api("GET", path, { key, query: { since, wait: 19 } });
  for (const waits of [{ wait: 20 }, { wait: 20, q: "x" }]) {
    const exported = await api("GET", path, { key, headers, query: { since, ...waits } });
    expectStatus(exported, 200);
    expect(exported.text).toBe("");
  }
  const latest = { after: "latest", wait: 20 };
  expectStatus(await api("GET", "/api/changes", { key, headers, query: latest }), 200);
  // The poll, which began before and waits for less long, has not ended.
  const next = await capture(api, id);
  expect((await poll).body.data).toMatchObject([{ id: next }]);
  const refused = await api("GET", "/api/tasks", { key, headers, query: { wait: 20 } });
  expectError(refused, 400, "unknown_param", "wait");
});

test("A captured JSON text of any length is on the line of its event, and cannot forge another", async ({
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const forged = JSON.stringify({ object: "webhook_event", id: "wev_forged" });
  await capture(api, id, { raw: `[\r\n${forged}\n,"${"x".repeat(66_000)}"\r]` });
  // At these, Python splits lines too.
  for (const end of ["\u0085", "\u2028", "\u2029"]) {
    await capture(api, id, { raw: `x${end}${forged}` });
    await capture(api, id, { raw: JSON.stringify([`x${end}${forged}`]) });
  }
  const path = `/api/webhooks/${id}/events`;
  const { body } = await api("GET", path, { key });
  expect(body.data).toHaveLength(7);
  const { text } = await api("GET", path, { key, headers });
  expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
  expect(linesOf(text)).toEqual(body.data);
});

test("Every list with pages can be exported, by those who may list, and its document says so", async ({
  api,
  db,
  organization,
  key,
}) => {
  const lists = everyOperation.filter(isList);
  expect(lists.length).toBeGreaterThan(15);
  for (const operation of lists) {
    const valid = validRequests[operation.id];
    const resource = await valid?.kind?.({ api, db, key });
    const path = pathOf(operation, valid ?? { status: 200 }, resource);
    const response = await api("GET", path, { key, headers });
    expect(response.status, operation.id).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    linesOf(response.text);
    const { text } = await api("GET", `/openapi/${slugOf(tagOf(operation))}.json`);
    const part = JSON.parse(text);
    const { 200: ok } = part.paths[operation.path].get.responses;
    const described = ok.$ref ? part.components.responses[ok.$ref.split("/").at(-1)] : ok;
    expect(Object.keys(described.content), operation.id).toEqual([
      "application/json",
      "application/x-ndjson",
    ]);
  }
  const { id } = await makeEndpoint(api, { key });
  expectError(await api("GET", `/api/webhooks/${id}/events`, { headers }), 403, "forbidden");
  const revoked = await makeKey(db, organization.id, { revoked: true });
  expectError(await api("GET", "/api/tasks", { key: revoked, headers }), 401, "invalid_api_key");
  const query = { unknown: "1" };
  const refused = await api("GET", "/api/tasks", { key, headers, query });
  expectError(refused, 400, "unknown_param", "unknown");
});

test("The page's export of a list that needs a key is 401 for a signed-out visitor", async ({
  baseUrl,
}) => {
  const lists = everyOperation.filter((one) => isList(one) && !one.path.includes("{"));
  for (const { auth, path } of lists) {
    const response = await fetch(`${baseUrl}${path.replace("/api/", "/export/")}`);
    expect(response.status, path).toBe(auth === "required" ? 401 : 200);
  }
});

test("A page's export is refused once its session has ended or has another owner", async ({
  api,
  baseUrl,
  db,
  organization,
  otherOrganization,
  key,
}) => {
  expectStatus(await api("POST", "/api/tasks", { key, body: { name: "Ours" } }), 201);
  const session = async (id: string) => cookieOf(db, (await makePerson(db, id)).id);
  const cookie = await session(organization.id);
  const read = async (path: string, cookie = "") => {
    const response = await fetch(baseUrl + path, { headers: { cookie } });
    return { status: response.status, text: await response.text() };
  };
  for (const [page, list] of [
    ["/tasks?q=Ours", "tasks"],
    ["/keys?tab=log", "audit-log"],
  ] as const) {
    const { text } = await read(page, cookie);
    const link = unescaped(new RegExp(`href="(/export/${list}[^"]*)"`).exec(text)?.[1] ?? "");
    const exported = await read(link, cookie);
    expect(exported.status, list).toBe(200);
    if (list === "tasks") expect(linesOf(exported.text)).toMatchObject([{ name: "Ours" }]);
    expect((await read(link)).status, list).toBe(401);
    const other = await session(otherOrganization.id);
    expect((await read(link, other)).status, list).toBe(401);
  }
});

test("An export breaks off when its key is revoked", async ({ baseUrl, db, organization }) => {
  await insertTasks(db, organization.id, 20_000);
  const key = await makeKey(db, organization.id);
  const response = await fetch(`${baseUrl}/api/tasks`, {
    headers: { ...headers, authorization: `Bearer ${key}` },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  await db.query(
    "UPDATE api_keys SET revoked_at = unix_now() WHERE organization_id = $1 AND last_four = right($2, 4)",
    [organization.id, key],
  );
  const rest = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(rest()).rejects.toThrow();
});

test("An export has the type that was asked for", async ({ api, key }) => {
  for (const type of ["application/jsonl", "application/x-ndjson"]) {
    const { headers } = await api("GET", "/api/tasks", { key, headers: { accept: type } });
    expect(headers.get("content-type")).toBe(type);
  }
});

test("Without that type a list is JSON, as before", async ({ api, key }) => {
  for (const accept of ["*/*", "application/json, application/x-ndjson;q=0.5", "text/html"]) {
    const response = await api("GET", "/api/tasks", { key, headers: { accept } });
    expect(response.headers.get("content-type")).toBe("application/json");
  }
});

function linesOf(text: string): { id: string }[] {
  if (text === "") return [];
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line));
}
