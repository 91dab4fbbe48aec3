import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { randomText } from "../support/keys";

/** The operations on artifacts, except raw content and share links. */

test("An artifact created with name and content is Markdown, and reads back unchanged", async ({
  api,
  organization,
  key,
}) => {
  const body = { name: "Report", content: "# Größe\n\u{1f600}\r\n\ttrailing  " };
  const created = await api("POST", "/api/artifacts", { key, body });
  expectStatus(created, 201);
  const { id, created_at } = created.body;
  expect(created.body).toEqual({
    id: expect.stringMatching(/^art_[0-9A-Za-z]{25}$/),
    object: "artifact",
    organization_id: organization.id,
    name: "Report",
    content: body.content,
    size: Buffer.byteLength(body.content),
    format: "markdown",
    raw_url: `/api/artifacts/${id}/raw`,
    external_id: null,
    created_at: expect.any(Number),
    updated_at: created_at,
  });
  expect(created.headers.get("location")).toBe(`/api/artifacts/${id}`);
  const read = await api("GET", `/api/artifacts/${id}`, { key });
  expectStatus(read, 200);
  expect(read.body).toEqual(created.body);
});

test("An artifact created without a key is public until it is claimed with its token", async ({
  api,
  organization,
  key,
  otherOrganization,
}) => {
  const made = await api("POST", "/api/artifacts", { body: { name: "x", content: "text" } });
  expectStatus(made, 201);
  const { id, claim_token, claim_url, claim_link, view_url, ...artifact } = made.body;
  expect(artifact.organization_id).toBeNull();
  expect(claim_url).toBe(`/api/claim/${id}`);
  const path = `/api/artifacts/${id}`;
  expect((await api("GET", path)).body).toEqual({ id, ...artifact });
  const refused = await api("POST", claim_url, { key, body: { claim_token: "clm_wrong" } });
  expectError(refused, 403, "invalid_claim_token", "claim_token");
  const claimed = await api("POST", claim_url, { key, body: { claim_token } });
  expectStatus(claimed, 200);
  expect(claimed.body).toEqual({
    id,
    ...artifact,
    organization_id: organization.id,
    updated_at: claimed.body.updated_at,
  });
  for (const each of [path, `${path}/raw`]) {
    expectStatus(await api("GET", each, { key }), 200);
    expectError(await api("GET", each), 403, "forbidden");
    expectError(await api("GET", each, { key: otherOrganization.key }), 403, "forbidden");
  }
  const again = await api("POST", claim_url, { key: otherOrganization.key, body: { claim_token } });
  expectError(again, 400, "resource_already_claimed", "id");
});

test("A list shows the organization's artifacts, newest first, without content", async ({
  api,
  key,
  otherOrganization,
}) => {
  await api("POST", "/api/artifacts", { body: { name: "public", content: "x" } });
  const other = { name: "foreign", content: "x" };
  await api("POST", "/api/artifacts", { key: otherOrganization.key, body: other });
  const made = [];
  for (const name of ["a", "b", "c"]) {
    const body = { name, content: name.repeat(5000), external_id: name === "b" ? "ext" : null };
    made.unshift((await api("POST", "/api/artifacts", { key, body })).body);
  }
  const listed = made.map(({ content: _, ...rest }) => rest);
  const all = await api("GET", "/api/artifacts", { key });
  expect(all.body).toEqual({ object: "list", data: listed, has_more: false, next_cursor: null });
  const page = await api("GET", "/api/artifacts", {
    key,
    query: { limit: 1, after: listed[0]?.id, include: "total_count" },
  });
  expect(page.body).toEqual({
    object: "list",
    data: [listed[1]],
    has_more: true,
    next_cursor: listed[1]?.id,
    total_count: 3,
  });
  const filtered = await api("GET", "/api/artifacts", { key, query: { external_id: "ext" } });
  expect(filtered.body.data).toEqual([listed[1]]);
  expect((await api("GET", "/api/artifacts")).body.data).toEqual([]);
  const wrong = await api("GET", "/api/artifacts", { key, query: { after: "tsk_x" } });
  expectError(wrong, 400, "invalid_param", "after");
});

test("An update changes only the given fields, and size follows the content", async ({
  api,
  key,
}) => {
  const body = { name: "before", content: "x", external_id: "mine" };
  const made = (await api("POST", "/api/artifacts", { key, body })).body;
  const path = `/api/artifacts/${made.id}`;
  const unchanged = await api("PATCH", path, { key, body: {} });
  expectStatus(unchanged, 200);
  expect(unchanged.body).toEqual(made);
  const changes = { name: "after", content: "äöü😀", format: "html" };
  const changed = await api("PATCH", path, { key, body: changes });
  expectStatus(changed, 200);
  const updated_at = changed.body.updated_at;
  expect(changed.body).toEqual({ ...made, ...changes, size: 10, updated_at });
  const emptied = await api("PATCH", path, { key, body: { content: "" } });
  expect(emptied.body).toMatchObject({ name: "after", content: "", size: 0, format: "html" });
  expect((await api("GET", path, { key })).body).toEqual(emptied.body);
});

test("An update accepts only name, content and format", async ({ api, key }) => {
  const made = (await api("POST", "/api/artifacts", { key, body: { name: "x", content: "x" } }))
    .body;
  for (const name of ["external_id", "size", "id", "raw_url", "organization_id"]) {
    const response = await api("PATCH", `/api/artifacts/${made.id}`, {
      key,
      body: { [name]: "x" },
    });
    expectError(response, 400, "unknown_param", name);
  }
});

for (const method of ["POST", "PATCH"]) {
  test(`${method} refuses invalid fields by name`, async ({ api, key }) => {
    const valid = { name: "x", content: "x" };
    const made = (await api("POST", "/api/artifacts", { key, body: valid })).body;
    const path = method === "POST" ? "/api/artifacts" : `/api/artifacts/${made.id}`;
    const wrong: Array<[string, unknown]> = [
      ["name", ""],
      ["name", "x".repeat(201)],
      ["name", null],
      ["name", 1],
      ["name", "a\u0000b"],
      ["content", null],
      ["content", 5],
      ["content", "x".repeat(1_000_001)],
      ["content", "a\u0000b"],
      ["content", "\ud800"],
      ["format", null],
      ["format", "pdf"],
      ["format", "HTML"],
    ];
    for (const [field, value] of wrong) {
      const response = await api(method, path, { key, body: { ...valid, [field]: value } });
      expectError(response, 400, "invalid_param", field);
    }
  });
}

test("Name and content are required, but content may be empty", async ({ api, key }) => {
  const nameless = await api("POST", "/api/artifacts", { key, body: { content: "x" } });
  expectError(nameless, 400, "missing_required_param", "name");
  const contentless = await api("POST", "/api/artifacts", { key, body: { name: "x" } });
  expectError(contentless, 400, "missing_required_param", "content");
  const empty = await api("POST", "/api/artifacts", { key, body: { name: "x", content: "" } });
  expectStatus(empty, 201);
  expect(empty.body).toMatchObject({ content: "", size: 0 });
});

test("A million characters are accepted, even when each is escaped as a surrogate pair", async ({
  api,
  key,
}) => {
  const raw = `{"name":"x","content":"${"\\ud83d\\ude00".repeat(1_000_000)}"}`;
  const made = await api("POST", "/api/artifacts", { key, raw });
  expectStatus(made, 201);
  expect(made.body.size).toBe(4_000_000);
  const bytes = await api("GET", made.body.raw_url, { key });
  expect(bytes.bytes.equals(Buffer.from("😀".repeat(1_000_000)))).toBe(true);
  const padded = `${raw}${" ".repeat(13_000_001 - raw.length)}`;
  expectError(await api("POST", "/api/artifacts", { key, raw: padded }), 413, "payload_too_large");
});

test("With If-Match one of two writers wins", async ({ api, key }) => {
  const made = (await api("POST", "/api/artifacts", { key, body: { name: "x", content: "1" } }))
    .body;
  const path = `/api/artifacts/${made.id}`;
  const etag = (await api("GET", path, { key })).headers.get("etag") ?? "";
  const headers = { "if-match": etag };
  const writers = [2, 3, 4, 5].map((n) =>
    api("PATCH", path, { key, headers, body: { content: `${n}` } }),
  );
  const statuses = (await Promise.all(writers)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 412, 412, 412]);
  expectError(await api("DELETE", path, { key, headers }), 412, "precondition_failed");
  const unchanged = await api("GET", path, { key, headers: { "if-none-match": etag } });
  expectStatus(unchanged, 200);
});

test("A deleted artifact and its raw content are gone", async ({ api, key }) => {
  const made = (await api("POST", "/api/artifacts", { key, body: { name: "x", content: "x" } }))
    .body;
  const path = `/api/artifacts/${made.id}`;
  const deleted = await api("DELETE", path, { key });
  expectStatus(deleted, 204);
  expect(deleted.text).toBe("");
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const body = method === "PATCH" ? { name: "y" } : undefined;
    expectError(await api(method, path, { key, body }), 404, "resource_not_found");
  }
  expectError(await api("GET", `${path}/raw`, { key }), 404, "resource_not_found");
  expectError(await api("POST", `${path}/share`, { key }), 404, "resource_not_found");
});

test("Repeated creates with one Idempotency-Key create one artifact", async ({ api, key }) => {
  const headers = { "idempotency-key": randomText(20) };
  const body = { name: "once", content: "x".repeat(10_000) };
  const first = await api("POST", "/api/artifacts", { key, headers, body });
  const second = await api("POST", "/api/artifacts", { key, headers, body });
  expect(second.text).toBe(first.text);
  expect((await api("GET", "/api/artifacts", { key })).body.data).toHaveLength(1);
});
