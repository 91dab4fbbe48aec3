import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";

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

test("A list shows artifacts as a read does, but without content", async ({ api, key }) => {
  const made = await api("POST", "/api/artifacts", { key, body: { name: "x", content: "x" } });
  const { content: _, ...listed } = made.body;
  expect((await api("GET", "/api/artifacts", { key })).body.data).toEqual([listed]);
});

test("An update changes only the given fields, and size follows the content", async ({
  api,
  key,
}) => {
  const body = { name: "before", content: "x", external_id: "mine" };
  const made = (await api("POST", "/api/artifacts", { key, body })).body;
  const path = `/api/artifacts/${made.id}`;
  const changes = { name: "after", content: "äöü😀", format: "html" };
  const changed = await api("PATCH", path, { key, body: changes });
  expectStatus(changed, 200);
  const updated_at = changed.body.updated_at;
  expect(changed.body).toEqual({ ...made, ...changes, size: 10, updated_at });
  const emptied = await api("PATCH", path, { key, body: { content: "" } });
  expect(emptied.body).toMatchObject({ name: "after", content: "", size: 0, format: "html" });
  expect((await api("GET", path, { key })).body).toEqual(emptied.body);
});

test("With Prefer: return=minimal a write returns the artifact without its content", async ({
  api,
  key,
}) => {
  const body = { name: "Report", content: "# Report" };
  const headers = { prefer: 'respond-async, return="minimal"' };
  const made = await api("POST", "/api/artifacts", { key, body, headers });
  expectStatus(made, 201);
  const path = `/api/artifacts/${made.body.id}`;
  const read = await api("GET", path, { key });
  const { content: _, ...rest } = JSON.parse(read.text);
  expect(made.body).toEqual(rest);
  expect(made.headers.get("preference-applied")).toBe("return=minimal");
  expect(made.headers.get("etag")).toBe(read.headers.get("etag"));
  const writes = [
    await api("PATCH", path, { key, headers, body: { content: "# Changed" } }),
    await api("PUT", "/api/artifacts/external/report-7", { key, headers, body }),
  ];
  for (const { body: written } of writes) expect(written).not.toHaveProperty("content");
  expect(writes[0]?.body.size).toBe(9);
  const whole = await api("POST", "/api/artifacts", { key, body, headers: { prefer: "wait=5" } });
  expect(whole.body.content).toBe(body.content);
  expect(whole.headers.get("preference-applied")).toBeNull();
});

const REFUSED: Array<[field: string, value: unknown]> = [
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
test("A create and an update refuse a value that a field cannot have, and an update what it cannot change", async ({
  api,
}) => {
  const valid = { name: "x", content: "x" };
  const { id } = (await api("POST", "/api/artifacts", { body: valid })).body;
  const path = `/api/artifacts/${id}`;
  for (const [field, value] of REFUSED) {
    const body = { ...valid, [field]: value };
    expectError(await api("POST", "/api/artifacts", { body }), 400, "invalid_param", field);
    expectError(await api("PATCH", path, { body }), 400, "invalid_param", field);
  }
  for (const field of ["external_id", "size", "id", "raw_url", "organization_id"]) {
    const refused = await api("PATCH", path, { body: { [field]: "x" } });
    expectError(refused, 400, "unknown_param", field);
  }
});

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
