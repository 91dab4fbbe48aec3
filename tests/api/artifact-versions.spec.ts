import type { Pool } from "pg";
import {
  EARLIER_CONTENT_BYTES_MAX,
  EARLIER_CONTENT_SECONDS,
} from "@/lib/resources/artifacts/contract";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, CallOptions } from "../support/http";
import { sweep } from "../support/sweep";

/** The versions of an artifact and their contents, which the dashboard shows as its history. */

test("A list has every version, newest first, and each has the content that it had", async ({
  api,
  key,
}) => {
  const { id } = await make(api, { key }, { name: "One", content: "first" });
  const writes = [
    { content: "größer" },
    { name: "Two" },
    { format: "html" },
    { content: "<p>last</p>", name: "Three" },
  ];
  for (const body of writes) await change(api, { key }, id, body);
  const list = await api("GET", `/api/artifacts/${id}/versions`, { key });
  expectStatus(list, 200);
  const common = {
    object: "artifact_version",
    artifact_id: id,
    author: "test",
    created_at: expect.any(Number),
  };
  const version = (number: number, rest: object) => ({
    id: `ver_${id.slice("art_".length)}_${number}`,
    number,
    raw_url: `/api/artifacts/${id}/versions/${number}/raw`,
    ...common,
    ...rest,
  });
  expect(list.body).toEqual({
    object: "list",
    has_more: false,
    next_cursor: null,
    data: [
      version(5, { name: "Three", format: "html", size: 11 }),
      version(4, { name: "Two", format: "html", size: 8 }),
      version(3, { name: "Two", format: "markdown", size: 8 }),
      version(2, { name: "One", format: "markdown", size: 8 }),
      version(1, { name: "One", format: "markdown", size: 5 }),
    ],
  });
  const contents = ["first", "größer", "größer", "größer", "<p>last</p>"];
  for (const [index, content] of contents.entries()) {
    const raw = await api("GET", `/api/artifacts/${id}/versions/${index + 1}/raw`, { key });
    expectStatus(raw, 200);
    expect(raw.text).toBe(content);
  }
});

test("A write without a change adds no version", async ({ api, key }) => {
  const body = { name: "One", content: "text", format: "markdown" };
  const { id } = await make(api, { key }, body);
  for (const same of [{}, body, { content: "text" }, { name: "One" }]) {
    await change(api, { key }, id, same);
  }
  expect(await kept(api, key, id)).toEqual([1]);
});

test("The newest hundred versions are kept, even under parallel writes", async ({ api, key }) => {
  const { id } = await make(api, { key }, { name: "x", content: "0" });
  const contents = Array.from({ length: 120 }, (_, index) => `${index + 1}`);
  await Promise.all(contents.map((content) => change(api, { key }, id, { content })));
  const query = { limit: 100, include: "total_count" };
  const list = await api("GET", `/api/artifacts/${id}/versions`, { key, query });
  expect(list.body.total_count).toBe(100);
  expect(numbersOf(list.body.data)).toEqual(Array.from({ length: 100 }, (_, n) => 121 - n));
  const { size } = (await api("GET", `/api/artifacts/${id}`, { key })).body;
  expect(list.body.data[0]?.size).toBe(size);
});

test("A list of versions has pages and a total", async ({ api, key }) => {
  const { id } = await make(api, { key }, { name: "x", content: "1" });
  for (const content of ["2", "3", "4", "5"]) await change(api, { key }, id, { content });
  const path = `/api/artifacts/${id}/versions`;
  const seen: number[] = [];
  let after: string | null = null;
  do {
    const query: Record<string, string | number> = { limit: 2, include: "total_count" };
    const page = await api("GET", path, { key, query: after ? { ...query, after } : query });
    expectStatus(page, 200);
    expect(page.body.total_count).toBe(5);
    seen.push(...numbersOf(page.body.data));
    after = page.body.next_cursor;
  } while (after);
  expect(seen).toEqual([5, 4, 3, 2, 1]);
});

test("The raw content of a version has the headers of an artifact's raw content", async ({
  api,
  key,
}) => {
  const input = { name: "Größe", format: "html", content: "<script>1</script>" };
  const { id } = await make(api, { key }, input);
  const now = await api("GET", `/api/artifacts/${id}/raw`, { key, query: { download: "1" } });
  await change(api, { key }, id, { name: "Other", format: "markdown", content: "# Other" });
  const path = `/api/artifacts/${id}/versions/1/raw`;
  const then = await api("GET", path, { key, query: { download: "1" } });
  for (const name of [
    "content-type",
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "cache-control",
    "content-disposition",
    "etag",
    "accept-ranges",
  ]) {
    expect(then.headers.get(name), name).toBe(now.headers.get(name));
    expect(then.headers.get(name), name).not.toBeNull();
  }
  const etag = then.headers.need("etag");
  const again = await api("GET", path, { key, headers: { "If-None-Match": etag } });
  expectStatus(again, 304);
  const part = await api("GET", path, { key, headers: { Range: "bytes=1-6" } });
  expectStatus(part, 206);
  expect(part.text).toBe("script");
});

test("An unknown version is 404, whatever its number looks like", async ({ api, key }) => {
  const { id } = await make(api, { key }, { name: "x", content: "x" });
  for (const n of ["0", "2", "01", "-1", "1.0", "1e0", "x", "9".repeat(30), "%00", "ver_1"]) {
    const response = await api("GET", `/api/artifacts/${id}/versions/${n}/raw`, { key });
    expectError(response, 404, "resource_not_found");
  }
});

test("A share link shows no earlier version", async ({ api, key }) => {
  const { id } = await make(api, { key }, { name: "x", content: "a secret" });
  await change(api, { key }, id, { content: "redacted" });
  const { url } = (await api("POST", `/api/artifacts/${id}/share`, { key })).body;
  const { pathname } = new URL(url);
  expect((await api("GET", `${pathname}/raw`)).text).toBe("redacted");
  for (const path of [`${pathname}/versions`, `${pathname}/versions/1/raw`]) {
    const response = await api("GET", path);
    expect(response.status, path).toBe(404);
    expect(response.text).not.toContain("a secret");
  }
});

test("A claim closes the versions to others, and does not name strangers", async ({
  api,
  key,
  otherOrganization,
}) => {
  const made = await make(api, {}, { name: "x", content: "1" });
  const path = `/api/artifacts/${made.id}/versions`;
  await change(api, { key: otherOrganization.key }, made.id, { content: "2" });
  const authors = async (options: CallOptions) =>
    (await api("GET", path, options)).body.data.map((one) => "author" in one && one.author);
  expect(await authors({})).toEqual([null, null]);
  expectStatus(await api("GET", `${path}/1/raw`), 200);
  const { claim_token, claim_url } = made;
  expectStatus(await api("POST", claim_url, { key, body: { claim_token } }), 200);
  await change(api, { key }, made.id, { content: "3" });
  expect(await authors({ key })).toEqual(["test", null, null]);
  for (const each of [path, `${path}/1/raw`]) {
    expectError(await api("GET", each), 403, "forbidden");
    expectError(await api("GET", each, { key: otherOrganization.key }), 403, "forbidden");
  }
});

test("The oldest contents go when the earlier ones have more than 10 MB together", async ({
  api,
  key,
}) => {
  const sizes = await api("GET", "/api/limits");
  expect(sizes.body).toMatchObject({
    sizes: { artifact_earlier_content_bytes_max: EARLIER_CONTENT_BYTES_MAX },
  });
  const size = EARLIER_CONTENT_BYTES_MAX / 4;
  const contentOf = (number: number) => `${number}${"€".repeat(Math.floor(size / 3))}`.slice(0, -1);
  const { id } = await make(api, { key }, { name: "x", content: contentOf(1) });
  for (const number of [2, 3, 4, 5]) {
    await change(api, { key }, id, { content: contentOf(number) });
  }
  expect(await kept(api, key, id)).toEqual([5, 4, 3, 2, 1]);
  await change(api, { key }, id, { content: contentOf(6) });
  expect(await kept(api, key, id)).toEqual([6, 5, 4, 3, 2]);
  const gone = await api("GET", `/api/artifacts/${id}/versions/1/raw`, { key });
  expectError(gone, 404, "resource_not_found");
  expect(gone.body.error.message).toBe("The content of version 1 is no longer kept.");
  const second = await api("GET", `/api/artifacts/${id}/versions/2/raw`, { key });
  expect(second.text).toBe(contentOf(2));
});

test("A rename stores no content", async ({ api, db, key }) => {
  const { id } = await make(api, { key }, { name: "x", content: "x".repeat(1000) });
  for (const name of ["a", "b", "c"]) await change(api, { key }, id, { name });
  expect(await contentsOf(db, id)).toEqual([]);
  await change(api, { key }, id, { content: "y" });
  expect(await contentsOf(db, id)).toEqual([4]);
  expect(await kept(api, key, id)).toEqual([5, 4, 3, 2, 1]);
});

test("Parallel writes keep the content of every version", async ({ api, key }) => {
  const { id } = await make(api, { key }, { name: "x", content: "0" });
  const writes = Array.from({ length: 30 }, (_, index) =>
    change(api, { key }, id, index % 3 === 0 ? { name: `${index}` } : { content: `${index}` }),
  );
  await Promise.all(writes);
  const versions = (
    await api("GET", `/api/artifacts/${id}/versions`, { key, query: { limit: 100 } })
  ).body.data;
  expect(versions).toHaveLength(31);
  const contents = await Promise.all(
    versions.map(async ({ raw_url, size }) => {
      const raw = await api("GET", raw_url, { key });
      expectStatus(raw, 200);
      expect(raw.bytes.length).toBe(size);
      return raw.text;
    }),
  );
  const expected = ["0", ...Array.from({ length: 30 }, (_, index) => `${index}`)];
  const written = expected.filter((_, index) => index === 0 || (index - 1) % 3 !== 0);
  expect(new Set(contents)).toEqual(new Set(written));
});

test("The sweep drops contents 90 days after they were replaced, and a deletion drops all", async ({
  api,
  db,
  key,
  rows,
}) => {
  const { id } = await make(api, { key }, { name: "x", content: "1" });
  for (const content of ["2", "3"]) await change(api, { key }, id, { content });
  await db.query(
    "UPDATE artifact_contents SET replaced_at = unix_now() - $2::bigint WHERE artifact_id = $1 AND number = 1",
    [id, EARLIER_CONTENT_SECONDS],
  );
  await expect
    .poll(async () => {
      await sweep(api, db);
      return kept(api, key, id);
    })
    .toEqual([3, 2]);
  expectStatus(await api("DELETE", `/api/artifacts/${id}`, { key }), 204);
  expect(await contentsOf(db, id)).toEqual([]);
  expect(await rows.artifactVersion.count({ where: { artifact_id: id } })).toBe(0);
});

test("Versions from before contents were kept have none, and the next write keeps the last one", async ({
  api,
  db,
  key,
}) => {
  const { id } = await make(api, { key }, { name: "x", content: "1" });
  for (const content of ["2", "3"]) await change(api, { key }, id, { content });
  await db.query("DELETE FROM artifact_contents WHERE artifact_id = $1", [id]);
  await db.query("UPDATE artifacts SET content_version = 1 WHERE id = $1", [id]);
  expect(await kept(api, key, id)).toEqual([3]);
  await change(api, { key }, id, { name: "y" });
  await change(api, { key }, id, { content: "4" });
  expect(await kept(api, key, id)).toEqual([5, 4, 3]);
  expect((await api("GET", `/api/artifacts/${id}/versions/3/raw`, { key })).text).toBe("3");
});

async function make(api: Api, options: CallOptions, body: object) {
  const made = await api("POST", "/api/artifacts", { ...options, body });
  expectStatus(made, 201);
  return made.body;
}

async function change(api: Api, options: CallOptions, id: string, body: object) {
  expectStatus(await api("PATCH", `/api/artifacts/${id}`, { ...options, body }), 200);
}

/** The versions whose content can be read. */
async function kept(api: Api, key: string, id: string) {
  const list = await api("GET", `/api/artifacts/${id}/versions`, { key, query: { limit: 100 } });
  return numbersOf(list.body.data.filter(({ raw_url }) => raw_url !== null));
}

function numbersOf(versions: object[]): number[] {
  return versions.map((one) => ("number" in one ? Number(one.number) : 0));
}

async function contentsOf(db: Pool, id: string): Promise<number[]> {
  const { rows } = await db.query<{ number: number }>(
    "SELECT number FROM artifact_contents WHERE artifact_id = $1 ORDER BY number",
    [id],
  );
  return rows.map(({ number }) => number);
}
