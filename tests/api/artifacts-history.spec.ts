import type { Pool } from "pg";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";

/** The versions of an artifact, which the dashboard shows as its history. */

test("Each write with a change adds one version with size, name, format and author", async ({
  api,
  db,
  key,
}) => {
  const made = await api("POST", "/api/artifacts", {
    key,
    body: { name: "One", content: "größer" },
  });
  const path = `/api/artifacts/${made.body.id}`;
  for (const body of [{ content: "x" }, { name: "Two", format: "html" }]) {
    expectStatus(await api("PATCH", path, { key, body }), 200);
  }
  const author = expect.stringMatching(/^key_/);
  expect(await versionsOf(db, made.body.id)).toEqual([
    { number: 1, name: "One", format: "markdown", size: 8, author },
    { number: 2, name: "One", format: "markdown", size: 1, author },
    { number: 3, name: "Two", format: "html", size: 1, author },
  ]);
});

test("A write without a change adds no version", async ({ api, db, key }) => {
  const body = { name: "One", content: "text", format: "markdown" };
  const { id } = (await api("POST", "/api/artifacts", { key, body })).body;
  for (const same of [{}, body, { content: "text" }, { name: "One" }]) {
    expectStatus(await api("PATCH", `/api/artifacts/${id}`, { key, body: same }), 200);
  }
  expect(await versionsOf(db, id)).toHaveLength(1);
  expect((await api("GET", `/api/artifacts/${id}`, { key })).body).toMatchObject(body);
});

test("The newest hundred versions are kept, even under parallel writes", async ({
  api,
  db,
  key,
}) => {
  const made = await api("POST", "/api/artifacts", { key, body: { name: "x", content: "0" } });
  const path = `/api/artifacts/${made.body.id}`;
  const writes = Array.from({ length: 120 }, (_, index) =>
    api("PATCH", path, { key, body: { content: `${index + 1}` } }),
  );
  for (const response of await Promise.all(writes)) expectStatus(response, 200);
  const versions = await versionsOf(db, made.body.id);
  const expected = Array.from({ length: 100 }, (_, index) => 22 + index);
  expect(versions.map(({ number }) => number)).toEqual(expected);
  const { size } = (await api("GET", path, { key })).body;
  expect(versions.at(-1)?.size).toBe(size);
});

test("A claim keeps the history, and a deletion removes it", async ({ api, db, key }) => {
  const made = (await api("POST", "/api/artifacts", { body: { name: "x", content: "x" } })).body;
  const path = `/api/artifacts/${made.id}`;
  await api("PATCH", path, { body: { content: "xyz" } });
  const { claim_token, claim_url } = made;
  expectStatus(await api("POST", claim_url, { key, body: { claim_token } }), 200);
  expect(await versionsOf(db, made.id)).toMatchObject([
    { size: 1, author: "anonymous" },
    { size: 3, author: "anonymous" },
  ]);
  expectStatus(await api("DELETE", path, { key }), 204);
  expect(await versionsOf(db, made.id)).toEqual([]);
});

async function versionsOf(db: Pool, id: string) {
  const { rows } = await db.query<{ number: number; size: number }>(
    `SELECT number, name, format, size, author FROM artifact_versions
     WHERE artifact_id = $1 ORDER BY number`,
    [id],
  );
  return rows;
}
