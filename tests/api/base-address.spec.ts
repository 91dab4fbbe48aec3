import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { ApiResponse } from "../support/http";

/** URLs in responses are based on BASE_URL, never on request headers. */

const FORGERIES: Array<Record<string, string>> = [
  { host: "evil.example" },
  {
    host: "evil.example:1234",
    origin: "https://evil.example",
    referer: "https://evil.example/",
  },
  {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "1234",
    forwarded: "host=evil.example;proto=https",
    "x-original-url": "https://evil.example/",
    "x-rewrite-url": "https://evil.example/",
    "x-original-host": "evil.example",
    "x-host": "evil.example",
    "x-forwarded-server": "evil.example",
  },
];

test("Forged headers change no URL in any response", async ({ api, baseUrl }) => {
  for (const forgery of FORGERIES) {
    const created = await api("POST", "/api/tasks", { headers: forgery, body: { name: "x" } });
    expectStatus(created, 201);
    expect(created.body.claim_url).toBe(`/api/claim/${created.body.id}`);
    const html = { ...forgery, accept: "text/html" };
    const responses = [
      created,
      await api("GET", "/api/tasks", {
        headers: { ...forgery, authorization: "Bearer svc_live_wrong" },
      }),
      await api("POST", `/api/claim/${created.body.id}`, {
        headers: forgery,
        body: { claim_token: "x" },
      }),
      await api("GET", `/api/claim/${created.body.id}`, { headers: html }),
      await api("GET", "/.well-known/oauth-protected-resource", { headers: forgery }),
      await api("GET", "/.well-known/oauth-authorization-server", { headers: forgery }),
      await api("GET", "/auth.md", { headers: forgery }),
      await api("GET", "/openapi.json", { headers: forgery }),
      await api("GET", "/api/nothing", { headers: forgery }),
      await api("GET", "/", { headers: html }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([
      201, 401, 401, 303, 200, 200, 200, 200, 404, 200,
    ]);
    for (const response of responses) expect(everything(response)).not.toContain("evil.example");
    expect(responses.map(({ text }) => text).join()).not.toContain("https://localhost");
    const port = new URL(baseUrl).port;
    expect(
      responses
        .map(everything)
        .join()
        .match(/localhost:\d+/g)
        ?.filter((host) => host !== `localhost:${port}`),
    ).toEqual([]);
  }
});

test("No path redirects to another host", async ({ api, baseUrl }) => {
  for (const path of [
    "//evil.example",
    "//evil.example/",
    "//evil.example/%2e%2e",
    "/\\evil.example",
    "/api//evil.example",
    "/api/tasks//evil.example/",
    "/%2f%2fevil.example",
    "/%5cevil.example/",
  ]) {
    const response = await api("GET", path);
    expect(response.status, path).toBeLessThan(500);
    const location = response.headers.get("location");
    if (location !== null) expect(new URL(location, baseUrl).origin, path).toBe(baseUrl);
  }
});

test("The home page shows the server's own address", async ({ api, baseUrl }) => {
  const page = await api("GET", "/", { headers: { accept: "text/html" } });
  expectStatus(page, 200);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(page.text).toContain(baseUrl);
  expect(page.text).toContain("/openapi.json");
});

test("Without BASE_URL, URLs have the loopback host that the request was sent to, with the server's port only", async ({
  api,
  baseUrl,
  server,
}) => {
  test.skip(server === "next", "It is given BASE_URL.");
  const { port } = new URL(baseUrl);
  const urlsFor = async (host: string) => {
    const headers = { host, accept: "application/json" };
    const create = (path: string) => api("POST", path, { headers, body: { name: "x" } });
    // Together, as they share statements.
    const [hook, inbox, other] = await Promise.all([
      create("/api/webhooks"),
      create("/api/inboxes"),
      api("POST", "/api/webhooks", { body: { name: "x" } }),
    ]);
    expect(other?.body.url).toContain(`http://localhost:${port}/`);
    const read = await api("GET", `/api/webhooks/${hook.body.id}`, { headers });
    const refused = await api("GET", "/api/tasks", {
      headers: { ...headers, authorization: "Bearer svc_live_wrong" },
    });
    const [resource, openApi, ...texts] = await Promise.all(
      [
        "/.well-known/oauth-protected-resource",
        "/openapi.json",
        "/llms-full.txt",
        "/docs/api.md",
        "/",
      ].map((path) =>
        api("GET", path, { headers: path === "/" ? { host, accept: "text/html" } : headers }),
      ),
    );
    return [
      hook.body.url,
      JSON.parse(inbox.text).ingest_url,
      read.body.url,
      refused.body.error?.doc_url,
      /resource_metadata="([^"]+)"/.exec(refused.headers.need("www-authenticate"))?.[1],
      JSON.parse(resource?.text ?? "").resource,
      JSON.parse(openApi?.text ?? "").servers[0].url,
      ...texts.map(({ text }) => /http:\/\/[^/\s"]+:\d+/.exec(text)?.[0]),
    ].map((url) => new URL(String(url)).host);
  };
  for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
    const urls = await urlsFor(`${host}:${port}`);
    expect(urls).toEqual(urls.map(() => `${host}:${port}`));
  }
  for (const host of ["127.0.0.1:1", `127.0.0.1.evil.example:${port}`, `x@[::1]:${port}`]) {
    expect(new Set(await urlsFor(host)), host).toEqual(new Set([`localhost:${port}`]));
  }
});

test("An ETag serves If-Match at every loopback host, and If-None-Match where the URLs are the same", async ({
  api,
  baseUrl,
  server,
}) => {
  test.skip(server === "next", "It is given BASE_URL.");
  const { port } = new URL(baseUrl);
  const [own, other] = [`127.0.0.1:${port}`, `localhost:${port}`];
  for (const collection of ["/api/webhooks", "/api/inboxes"]) {
    const created = await api("POST", collection, { headers: { host: own }, body: { name: "x" } });
    const path = `${collection}/${created.body.id}`;
    const read = async (host: string, tag: string) =>
      (await api("GET", path, { headers: { host, "if-none-match": tag } })).status;
    const change = async (host: string, tag: string, name: string) => {
      const headers = { host, "if-match": tag };
      return (await api("PATCH", path, { headers, body: { name } })).headers.need("etag");
    };
    const tag = (await api("GET", path, { headers: { host: own } })).headers.need("etag");
    expect([await read(own, tag), await read(other, tag)]).toEqual([304, 200]);
    const changed = await change(other, tag, "y");
    expect([await read(own, changed), await read(other, changed)]).toEqual([200, 304]);
    await change(own, changed, "z");
    const stale = await api("DELETE", path, { headers: { host: other, "if-match": changed } });
    expectError(stale, 412, "precondition_failed");
  }
});

function everything(response: ApiResponse) {
  return response.text + JSON.stringify(response.headers.pairs);
}
