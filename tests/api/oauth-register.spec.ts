import { UNUSED_CLIENTS_MAX } from "@/lib/identity/oauth/clients";
import { JSON_VALUES_MAX } from "@/lib/platform/http/bounded-json";
import { expectStatus } from "../support/expectations";
import { randomText } from "../support/keys";
import { CALLBACK, errorOf, expect, test } from "../support/oauth";

/** Dynamic registration (RFC 7591). */

test("A client registers as a public client, whatever it asks for", async ({ api }) => {
  const response = await api("POST", "/oauth/register", {
    body: {
      redirect_uris: [CALLBACK, CALLBACK, "https://client.example/callback"],
      client_name: "  A\u202e  client\u0000\n ",
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code", "implicit", "refresh_token"],
      response_types: ["code", "token"],
      scope: "api.read",
      logo_uri: "http://169.254.169.254/",
      software_id: "x",
    },
  });
  expectStatus(response, 201);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(JSON.parse(response.text)).toEqual({
    client_id: expect.stringMatching(/^oac_[0-9A-Za-z]{25}$/),
    client_id_issued_at: expect.any(Number),
    client_name: "A client",
    redirect_uris: [CALLBACK, "https://client.example/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
});

test("Wrong metadata gets the error of RFC 7591 that names it", async ({ api }) => {
  const uris = [CALLBACK];
  const cases: [unknown, string, RegExp][] = [
    [{}, "invalid_redirect_uri", /redirect_uris/],
    [{ redirect_uris: [] }, "invalid_redirect_uri", /redirect_uris/],
    [{ redirect_uris: CALLBACK }, "invalid_redirect_uri", /redirect_uris/],
    [{ redirect_uris: [1] }, "invalid_redirect_uri", /redirect_uris/],
    [{ redirect_uris: Array(21).fill(CALLBACK) }, "invalid_redirect_uri", /redirect_uris/],
    [{ redirect_uris: ["http://client.example/"] }, "invalid_redirect_uri", /http/],
    [{ redirect_uris: [CALLBACK, "javascript:alert(1)"] }, "invalid_redirect_uri", /https/],
    [{ redirect_uris: ["https://a.example/#x"] }, "invalid_redirect_uri", /fragment/],
    [{ redirect_uris: [`https://a.example/${"x".repeat(1000)}`] }, "invalid_redirect_uri", /1000/],
    [{ redirect_uris: uris, client_name: 1 }, "invalid_client_metadata", /client_name/],
    [
      { redirect_uris: uris, client_name: "x".repeat(1001) },
      "invalid_client_metadata",
      /client_name/,
    ],
    [{ redirect_uris: uris, grant_types: ["password"] }, "invalid_client_metadata", /grant_types/],
    [
      { redirect_uris: uris, response_types: ["token"] },
      "invalid_client_metadata",
      /response_types/,
    ],
  ];
  for (const [body, error, words] of cases) {
    const response = await api("POST", "/oauth/register", { body });
    expectStatus(response, 400);
    expect(errorOf(response), JSON.stringify(body).slice(0, 200)).toBe(error);
    expect(JSON.parse(response.text).error_description).toMatch(words);
  }
  for (const raw of ["", "{", "[]", "null", "\0", "\xff"]) {
    const response = await api("POST", "/oauth/register", { raw });
    expectStatus(response, 400);
    expect(errorOf(response)).toBe("invalid_request");
  }
  // What is left out of such a document may be wrong.
  const contacts = Array(JSON_VALUES_MAX).fill("a@client.example");
  const long = await api("POST", "/oauth/register", { body: { redirect_uris: uris, contacts } });
  expectStatus(long, 400);
  expect(errorOf(long)).toBe("invalid_request");
  const large = await api("POST", "/oauth/register", { raw: " ".repeat(65_537) });
  expectStatus(large, 413);
  expect(errorOf(large)).toBe("invalid_request");
});

test("Clients that nobody authorizes are limited in number: new ones evict the oldest of the network that has the most", async ({
  oauth,
  db,
}) => {
  const clientId = await oauth.register();
  await oauth.code(clientId);
  const mark = `oac_${randomText(8)}`;
  // Not so long ago that a sweep removes them.
  const since = Math.floor(Date.now() / 1000) - 86_400;
  await db.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris, created_at, network)
     SELECT $1 || n, $1, '{}', $3::int + n, '192.0.2.1' FROM generate_series(1, $2::int) AS n`,
    [mark, UNUSED_CLIENTS_MAX, since],
  );
  const other = `${mark}other`;
  await db.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris, created_at, network)
     VALUES ($1, $1, '{}', $2, '192.0.2.2')`,
    [other, since],
  );
  await oauth.register();
  const { rows } = await db.query<{ count: number; oldest: number }>(
    "SELECT count(*)::int, min(created_at)::int AS oldest FROM oauth_clients WHERE name = $1",
    [mark],
  );
  expect(rows[0]?.count).toBeLessThan(UNUSED_CLIENTS_MAX);
  expect(rows[0]?.oldest).toBeGreaterThan(since + 1);
  const kept = await db.query("DELETE FROM oauth_clients WHERE id = $1 RETURNING id", [other]);
  expect(kept.rows).toHaveLength(1);
  await db.query("DELETE FROM oauth_clients WHERE name = $1", [mark]);
  // One that a person has authorized stays.
  await oauth.code(clientId);
});
