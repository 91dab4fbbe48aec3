import type { ServerResponse } from "node:http";
import { expectStatus } from "../support/expectations";
import { textOf } from "../support/forms";
import { CALLBACK, tokensOf } from "../support/oauth";
import { expect, test } from "../support/oauth-documents";

/** Client ID Metadata Documents: which clients a URL describes, and what a hostile URL gets. */

const valid = (client_id: string) => ({
  client_id,
  client_name: "Documented editor",
  redirect_uris: [CALLBACK, "https://editor.example/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
  logo_uri: `${new URL(client_id).origin}/logo.png`,
  jwks_uri: `${new URL(client_id).origin}/jwks`,
});

test("A client described by its URL signs in, and only its document is fetched, once", async ({
  oauth,
  site,
}) => {
  const clientId = site.serve("/client.json", {
    ...valid(`${site.origin}/client.json`),
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
  });
  const page = await oauth.open(oauth.request(clientId));
  expectStatus(page, 200);
  const text = textOf(page.text);
  expect(text).toContain("Connect Documented editor?");
  expect(text).toContain(`${new URL(site.origin).host} – verified`);
  const { access_token } = await oauth.signIn(clientId);
  expectStatus(await oauth.api("GET", "/api/me", { key: access_token }), 200);
  const code = await oauth.code(clientId, { redirect_uri: "https://editor.example/callback" });
  tokensOf(await oauth.exchange(clientId, code, { redirect_uri: undefined }));
  expect(site.asked.filter((path) => path !== "/client.json")).toEqual([]);
  expect(site.asked).toHaveLength(1);
});

test("A document that does not describe its URL is refused", async ({ oauth, site }) => {
  const cases: [string, (url: string) => object | string, string][] = [
    ["/other", () => valid(`${site.origin}/else`), "another client_id"],
    ["/slash", (url) => valid(`${url}/`), "another client_id"],
    ["/secret", (url) => ({ ...valid(url), client_secret: "x" }), "a client secret"],
    [
      "/basic",
      (url) => ({ ...valid(url), token_endpoint_auth_method: "client_secret_basic" }),
      "a client secret",
    ],
    ["/none", (url) => ({ ...valid(url), redirect_uris: [] }), "redirect_uris is missing or wrong"],
    ["/uris", (url) => ({ ...valid(url), redirect_uris: "x" }), "redirect_uris is missing"],
    ["/grant", (url) => ({ ...valid(url), grant_types: ["implicit"] }), "authorization_code"],
    ["/array", () => [], "invalid document"],
    ["/null", () => "null", "invalid document"],
    ["/html", () => "<html>", "is not JSON"],
    ["/empty", () => "", "is not JSON"],
    ["/large", (url) => ({ ...valid(url), padding: "x".repeat(17_000) }), "more than 16384 bytes"],
  ];
  for (const [path, make, problem] of cases) {
    const made = make(site.origin + path);
    const body = typeof made === "string" ? made : JSON.stringify(made);
    const clientId = site.serve(path, (_request: unknown, response: { end(text: string): void }) =>
      response.end(body),
    );
    const page = await oauth.open(oauth.request(clientId));
    expectStatus(page, 200);
    expect(textOf(page.text), path).toContain(problem);
    expect(page.text).not.toContain('name="decision"');
  }
});

test("A redirect URI must be in the document, and one that may not be registered never is", async ({
  oauth,
  site,
}) => {
  const url = `${site.origin}/uris.json`;
  const redirect_uris = ["http://evil.example/", "javascript:alert(1)", CALLBACK];
  const clientId = site.serve("/uris.json", { ...valid(url), redirect_uris });
  for (const redirect_uri of [...redirect_uris.slice(0, 2), "https://evil.example/"]) {
    const page = await oauth.open(oauth.request(clientId, { redirect_uri }));
    expect(textOf(page.text)).toContain("not one that the client has registered");
  }
  expectStatus(await oauth.open(oauth.request(clientId)), 200);
});

test("Redirects, failures and slow responses are not waited for or followed", async ({
  oauth,
  site,
}) => {
  const target = site.serve("/target.json", valid(`${site.origin}/moved`));
  const moved = site.serve("/moved", (_: unknown, response: ServerResponse) =>
    response.writeHead(302, { location: target }).end(),
  );
  const slow = site.serve("/slow", (_: unknown, response: ServerResponse) => {
    response.write(" ");
  });
  const problems: Record<string, string> = {
    [moved]: "answered 302 instead of a document",
    [`${site.origin}/missing`]: "answered 404 instead of a document",
    [slow]: "within 3 seconds",
  };
  for (const [clientId, problem] of Object.entries(problems)) {
    expect(textOf((await oauth.open(oauth.request(clientId))).text)).toContain(problem);
  }
  expect(site.asked).not.toContain("/target.json");
  // A failure is kept for a while, too.
  const asked = site.asked.length;
  await oauth.open(oauth.request(moved));
  expect(site.asked).toHaveLength(asked);
});

test("Pages that wait for a client's document keep no other page waiting", async ({
  oauth,
  site,
}) => {
  // Loads both pages: a document has three seconds to arrive.
  expectStatus(await oauth.api("GET", "/sign-in"), 200);
  await oauth.open(oauth.request("unknown"));
  const held: ServerResponse[] = [];
  let answered = 0;
  // As many as there are turns.
  const pages = Array.from({ length: 4 }, async (_, n) => {
    const hold = (_: unknown, response: ServerResponse) => held.push(response);
    expectStatus(await oauth.open(oauth.request(site.serve(`/held-${n}`, hold))), 200);
    answered += 1;
  });
  await expect.poll(() => held.length, { intervals: [20] }).toBe(4);
  expectStatus(await oauth.api("GET", "/sign-in"), 200);
  expect(answered).toBe(0);
  for (const response of held) response.end("{}");
  await Promise.all(pages);
});

test("No address that is private, and no other spelling of a URL, is fetched", async ({
  oauth,
  documentServer,
  site,
}) => {
  const own = new URL(documentServer.baseUrl);
  const cases = {
    "https://10.0.0.1/client": "address is not allowed",
    "https://[::ffff:10.0.0.1]/client": "must be in normal form",
    "https://[fd00::1]/client": "address is not allowed",
    "https://169.254.169.254/latest": "address is not allowed",
    "https://192.168.1.1:8443/client": "address is not allowed",
    "https://private.example/client": "address is not allowed",
    "https://metadata.example/client": "address is not allowed",
    "https://mixed.example/client": "address is not allowed",
    "https://unknown.example/client": "could not be resolved",
    [`https://${own.host}/client`]: "must not be on this host",
    "http://localhost/client": "must be an https URL",
    "https://localhost": "must be in normal form",
    "https://localhost/": "must have a path",
    "https://user@localhost/client": "must be in normal form",
    "https://localhost/client#x": "must be in normal form",
    "https://localhost/a/../client": "must be in normal form",
    "HTTPS://localhost/client": "must be in normal form",
    "https://": "must be an https URL",
    [`https://localhost/${"x".repeat(500)}`]: "at most 500 characters",
    "ftp://localhost/client": "No client has this client_id",
    "file:///etc/passwd": "No client has this client_id",
  };
  const before = site.asked.length;
  for (const [clientId, problem] of Object.entries(cases)) {
    const page = await oauth.open(oauth.request(clientId));
    expectStatus(page, 200);
    expect(textOf(page.text), clientId).toContain(problem);
    expect(page.text).not.toContain('name="decision"');
  }
  expect(site.asked).toHaveLength(before);
});
