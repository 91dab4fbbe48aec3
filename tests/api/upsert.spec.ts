import { type KindName, kinds } from "@/lib/resources/kinds";
import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus, missing } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, CallOptions } from "../support/http";
import { whileUncommitted } from "../support/locks";

/** PUT /api/{kind}/external/{external_id}: creates or updates the resource with that external ID. */

/** Kinds with more to test than the first call has. */
const BODIES: Partial<Record<KindName, { body: object; change: object }>> = {
  tasks: { body: { name: "First", priority: "high", labels: ["a"] }, change: { name: "Second" } },
  webhooks: {
    body: { name: "First", description: "Kept", max_events: 5 },
    change: { name: "Second" },
  },
  artifacts: {
    body: { name: "First", content: "one", format: "html" },
    change: { name: "Second", content: "two" },
  },
  messages: {
    body: { channel: "http", url: "https://example.com/1", method: "PUT", delay_seconds: 3600 },
    change: { url: "https://example.com/2" },
  },
  inboxes: {
    body: { name: "First", description: "Kept", default_ttl_seconds: 100 },
    change: { name: "Second" },
  },
  schedules: {
    body: { cron: "0 9 1 1 *", name: "Kept", target: { task: { name: "First" } } },
    change: { target: { task: { name: "Second" } } },
  },
  questions: {
    body: { prompt: "First?", kind: "approve", context: "Kept" },
    change: { prompt: "Second?", kind: "approve" },
  },
};

function client(api: Api, kind: string, key?: string) {
  const path = `/api/${kind}`;
  return {
    put: (externalId: string, body: object, options: CallOptions = {}) =>
      api("PUT", `${path}/external/${encodeURIComponent(externalId)}`, { key, body, ...options }),
    create: (body: object) => api("POST", path, { key, body }),
    get: (id: string) => api("GET", `${path}/${id}`, { key }),
    list: async (external_id: string) =>
      (await api("GET", path, { key, query: { external_id, limit: 100 } })).body.data,
  };
}

for (const { name: kind, first, table } of kinds) {
  const { body, change } = BODIES[kind] ?? {
    body: first.body,
    change: { ...first.body, name: "Second" },
  };
  test(`${kind}: the first PUT creates, and the next changes only the given fields`, async ({
    api,
    organization,
    key,
  }) => {
    const { put, get, list } = client(api, kind, key);
    const created = await put("job 7/a", body);
    expectStatus(created, 201);
    const { delay_seconds: _, ...shown } = body as { delay_seconds?: number };
    expect(created.body).toMatchObject({
      ...shown,
      external_id: "job 7/a",
      organization_id: organization.id,
    });
    expect(created.headers.get("location")).toBe(`/api/${kind}/${created.body.id}`);
    expect(created.body).not.toHaveProperty("claim_token");

    const updated = await put("job 7/a", { ...change, external_id: "job 7/a" });
    expectStatus(updated, 200);
    expect(updated.headers.get("location")).toBeNull();
    expect(updated.body).toMatchObject({ ...shown, ...change, id: created.body.id });
    const read = await get(created.body.id);
    const { event_count: __, ...fields } = read.body;
    expect(updated.body).toEqual(fields);
    expect(updated.headers.get("etag")).toBe(read.headers.get("etag"));
    expect((await list("job 7/a")).map(({ id }) => id)).toEqual([created.body.id]);
  });

  test(`${kind}: 20 parallel PUTs create one resource`, async ({ api, key }) => {
    const { put, list } = client(api, kind, key);
    const responses = await Promise.all(Array.from({ length: 20 }, () => put("one", body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1);
    expect(await list("one")).toHaveLength(1);
  });

  test(`${kind}: an ambiguous external ID is 409 with the IDs, and changes nothing`, async ({
    api,
    key,
  }) => {
    const { put, create, get } = client(api, kind, key);
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      ids.push((await create({ ...body, external_id: "twice" })).body.id);
    }
    const before = (await get(ids[0] ?? "")).text;
    const refused = await put("twice", change);
    expectError(refused, 409, "external_id_ambiguous", "external_id");
    for (const id of ids) expect(refused.body.error.message).toContain(id);
    expect((await get(ids[0] ?? "")).text).toBe(before);
  });

  test(`${kind}: a PUT does not change a resource that gets another external ID at the same time`, async ({
    api,
    db,
    key,
  }) => {
    const { put, get, list } = client(api, kind, key);
    const { id } = (await put("taken", body)).body;
    const again = await whileUncommitted(
      db,
      [`UPDATE ${table} SET external_id = 'moved', revision = revision + 1 WHERE id = '${id}'`],
      `UPDATE ${table} SET`,
      () => put("taken", body),
    );
    expectStatus(again, 201);
    expect(again.body.id).not.toBe(id);
    expect((await get(id)).body.external_id).toBe("moved");
    expect((await list("taken")).map((one) => one.id)).toEqual([again.body.id]);
  });

  test(`${kind}: a PUT ignores foreign and public resources`, async ({
    api,
    db,
    organization,
    key,
  }) => {
    const other = client(api, kind, (await makeOrganization(db)).key);
    const open = client(api, kind);
    const theirs = (await other.put("same", body)).body.id;
    const everybodys = (await open.create({ ...body, external_id: "same" })).body.id;
    const own = await client(api, kind, key).put("same", body);
    expectStatus(own, 201);
    expect([theirs, everybodys]).not.toContain(own.body.id);
    expectError(await open.put("same", body), 401, "unauthorized");
    const reader = client(api, kind, organization.readKey);
    expectError(await reader.put("same", body), 403, "insufficient_scope");
  });

  test(`${kind}: the body is that of a create, and must not have a different external_id`, async ({
    api,
    key,
  }) => {
    const { put, list } = client(api, kind, key);
    for (const external_id of ["other", null, ""]) {
      expectError(await put("mine", { ...body, external_id }), 400, "invalid_param", "external_id");
    }
    expectError(await put("mine", {}), 400, "missing_required_param", Object.keys(change)[0]);
    expectError(await put("mine", { ...body, id: "x" }), 400, "unknown_param", "id");
    expect(await list("mine")).toEqual([]);
  });
}

test("An external ID may be any text, even one that looks like a path", async ({ api, key }) => {
  const { put, list } = client(api, "tasks", key);
  const texts = [
    "a/b/c",
    "lease",
    "labels",
    "lease-next",
    "%2F",
    "100%",
    "?x=1#y",
    " ",
    "a//",
    "__proto__",
    "é\u{1f600}",
    "'; DROP TABLE tasks; --",
    "x".repeat(5000),
  ];
  for (const text of texts) {
    const created = await put(text, { name: "Any" });
    expectStatus(created, 201);
    expect(created.body.external_id).toBe(text);
    expect((await put(text, { name: "Again" })).body.id).toBe(created.body.id);
    expect(await list(text)).toHaveLength(1);
  }
  const nul = await put("a\0b", { name: "x" });
  expectError(nul, 400, "invalid_param", "external_id");
});

test("A PUT that names an unknown inbox is 404, also if its resource exists", async ({
  api,
  key,
}) => {
  const inbox_id = "inbox_unknown";
  const { put } = client(api, "schedules", key);
  const body = { every_seconds: 86_400, target: { task: { name: "x" } } };
  expectStatus(await put("nightly", body), 201);
  const refused = await put("nightly", { ...body, target: { inbox_event: { inbox_id } } });
  expectError(refused, 404, "resource_not_found", "target.inbox_event.inbox_id");
});

test("If-Match applies to a PUT as to a PATCH, even to one that would create", async ({
  api,
  key,
}) => {
  const { put, get, list } = client(api, "tasks", key);
  const { id } = (await put("guarded", { name: "First" })).body;
  const etag = (await get(id)).headers.need("etag");
  const headers = { "if-match": etag };
  expectStatus(await put("guarded", { name: "Second" }, { headers }), 200);
  const stale = await put("guarded", { name: "Third" }, { headers });
  expectError(stale, 412, "precondition_failed");
  const any = { headers: { "if-match": "*" } };
  for (const options of [{ headers }, any]) {
    expectError(await put("none", { name: "x" }, options), 412, "precondition_failed");
  }
  expect(await list("none")).toEqual([]);
  expectStatus(await put("guarded", { name: "Third" }, any), 200);
});

test("If-None-Match: * only creates, even of 5 parallel PUTs", async ({ api, key }) => {
  const { put, get } = client(api, "tasks", key);
  const headers = { "if-none-match": "*" };
  const responses = await Promise.all(
    Array.from({ length: 5 }, (_, n) => put("new", { name: `Try ${n}` }, { headers })),
  );
  const [made, ...others] = responses.sort((one, other) => one.status - other.status);
  expectStatus(made ?? missing(), 201);
  for (const other of others) expectError(other, 412, "precondition_failed");
  const { id, name } = (made ?? missing()).body;
  expect((await get(id)).body.name).toBe(name);
});

test("A PUT of a message needs a time when it creates, and is refused once it is not scheduled", async ({
  api,
  key,
}) => {
  const { put } = client(api, "messages", key);
  const body = { url: "https://example.com/", delay_seconds: 3600 };
  const timeless = await put("reminder", { url: body.url });
  expectError(timeless, 400, "missing_required_param", "scheduled_at");
  const { id } = (await put("reminder", body)).body;
  expectStatus(await api("POST", `/api/messages/${id}/cancel`, { key }), 200);
  expectError(await put("reminder", body), 400, "message_not_editable");
  expectStatus(await api("DELETE", `/api/messages/${id}`, { key }), 204);
  const again = await put("reminder", { ...body, scheduled_at: 99_999_999_999_999 });
  expectStatus(again, 201);
  expect(again.body).toHaveProperty("warnings");
});
