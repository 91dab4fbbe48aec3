import { expectError, expectStatus } from "../support/expectations";
import { expect, type ServerOptions, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { capture, makeEndpoint } from "../support/webhooks";

/** Raw content, served so that a browser cannot run it. */

const HTML_POLICY = "sandbox allow-scripts allow-forms allow-popups allow-modals";

for (const [format, type, policy] of [
  ["html", "text/html; charset=utf-8", HTML_POLICY],
  ["markdown", "text/markdown; charset=utf-8", "sandbox"],
] as const) {
  test(`Raw ${format} is served byte for byte as ${type}, and its view, with every security header`, async ({
    api,
    organization,
    server,
  }) => {
    const content = "<h1>Grüße 😀</h1>\r\n<script>1</script>";
    for (const key of [organization.key, undefined]) {
      const { id, raw_url } = await make(api, { content, format }, key);
      const read = await api("GET", raw_url, { key });
      expectStatus(read, 200);
      expect(read.bytes.equals(Buffer.from(content))).toBe(true);
      expect(Object.fromEntries(read.headers.pairs)).toMatchObject({
        "content-type": type,
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": key ? "private, no-cache" : "no-cache",
        etag: expect.stringMatching(/^"[\w-]+"$/),
      });
      expect(read.headers.get("content-length")).toBe(lengthOn(server, content));
      for (const name of ["cross-origin-opener-policy", "content-disposition", "set-cookie"]) {
        expect(read.headers.get(name)).toBeNull();
      }
      const head = await api("HEAD", raw_url, { key });
      expectStatus(head, 200);
      expect(head.text).toBe("");
      const same = ["content-type", "content-length", "etag", "content-security-policy"];
      for (const name of same) expect(head.headers.get(name)).toBe(read.headers.get(name));
      if (key) continue;
      const view = await api("GET", `/artifacts/${id}/view`);
      expectStatus(view, 200);
      expect(Object.fromEntries(view.headers.pairs)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": expect.stringMatching(/(^| )sandbox /),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
    }
  });
}

test("Stored content keeps its sandbox at every path that Next routes to it", async ({ api }) => {
  const artifact = await make(api, { format: "html" });
  const share = await api("POST", `/api/artifacts/${artifact.id}/share`);
  const html = { raw: "<p>x</p>", headers: { "content-type": "text/html" } };
  const endpoint = await makeEndpoint(api);
  const inbox = await makeInbox(api);
  const { body: message } = await api("POST", "/api/messages", {
    body: { url: "https://example.com/", body: "x", delay_seconds: 86_400 },
  });
  for (const path of [
    `/artifacts/${artifact.id}/raw`,
    `/artifacts/${artifact.id}/view`,
    `${new URL(share.body.url).pathname}/raw`,
    `/webhooks/${endpoint.id}/events/${await capture(api, endpoint.id, html)}/body/preview`,
    `/inboxes/${inbox.id}/events/${(await inbox.ingest(html)).id}/body/preview`,
    `/messages/${message.id}/body/preview`,
  ]) {
    for (const served of [path, `${path}/`]) {
      const { status, headers } = await api("GET", served);
      expect(status, served).toBe(200);
      expect(headers.all("content-security-policy"), served).toEqual([
        expect.stringMatching(/(^|; )sandbox( allow-scripts|;|$)/),
      ]);
      expect(headers.get("x-frame-options"), served).toBeNull();
    }
  }
  expectError(await api("POST", "/artifacts/preview/vie%77"), 404, "route_not_found");
});

test("A byte range is never compressed", async ({ api }) => {
  const content = "0123456789".repeat(500);
  const { id, raw_url } = await make(api, { content });
  for (const path of [raw_url, `/artifacts/${id}/raw`]) {
    const headers = { range: "bytes=0-3999", "accept-encoding": "gzip" };
    const part = await api("GET", path, { headers });
    expectStatus(part, 206);
    expect(part.headers.get("content-encoding")).toBeNull();
    expect(part.text).toBe(content.slice(0, 4000));
  }
});

test("The raw ETag changes with content and format, but not with the name", async ({ api }) => {
  const { id, raw_url } = await make(api, { content: "a" });
  const etag = async () => (await api("GET", raw_url)).headers.need("etag");
  const first = await etag();
  for (const value of [first, `W/${first}`, `"x", ${first}`, "*"]) {
    const response = await api("GET", raw_url, { headers: { "if-none-match": value } });
    expectStatus(response, 304);
    expect(response.text).toBe("");
    expect(response.headers.get("etag")).toBe(first);
  }
  expectStatus(await api("GET", raw_url, { headers: { "if-none-match": '"x"' } }), 200);
  const path = `/api/artifacts/${id}`;
  await api("PATCH", path, { body: { name: "other" } });
  expect(await etag()).toBe(first);
  await api("PATCH", path, { body: { format: "html" } });
  const second = await etag();
  await api("PATCH", path, { body: { content: "b" } });
  expect(new Set([first, second, await etag()]).size).toBe(3);
});

test("One byte range is 206, one out of bounds is 416, and anything else is the full content", async ({
  api,
  server,
}) => {
  const { raw_url } = await make(api, { content: "0123456789" });
  const whole = await api("GET", raw_url);
  expect(whole.headers.get("accept-ranges")).toBe("bytes");
  const etag = whole.headers.need("etag");
  const ranges: Array<[string, number, string, string | null]> = [
    ["bytes=0-0", 206, "0", "bytes 0-0/10"],
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-99", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=5-99999999999999999999", 206, "56789", "bytes 5-9/10"],
    ["bytes=0-1,3-4", 200, "0123456789", null],
    ["bytes=4-2", 200, "0123456789", null],
    ["bytes=-", 200, "0123456789", null],
    ["lines=1-2", 200, "0123456789", null],
    ["nonsense", 200, "0123456789", null],
  ];
  for (const [range, status, text, contentRange] of ranges) {
    const response = await api("GET", raw_url, { headers: { range } });
    expectStatus(response, status);
    expect(response.text, range).toBe(text);
    expect(response.headers.get("content-range"), range).toBe(contentRange);
    expect(response.headers.get("content-security-policy")).toBe("sandbox");
  }
  for (const range of ["bytes=10-", "bytes=99-100", "bytes=-0"]) {
    const response = await api("GET", raw_url, { headers: { range } });
    expectError(response, 416, "range_not_satisfiable");
    expect(response.headers.get("content-range")).toBe("bytes */10");
  }
  const range = "bytes=0-0";
  const fresh = await api("GET", raw_url, { headers: { range, "if-range": etag } });
  expectStatus(fresh, 206);
  for (const stale of ['"x"', `W/${etag}`, new Date().toUTCString()]) {
    const response = await api("GET", raw_url, { headers: { range, "if-range": stale } });
    expectStatus(response, 200);
  }
  const head = await api("HEAD", raw_url, { headers: { range } });
  expectStatus(head, 200);
  expect(head.headers.get("content-length")).toBe(lengthOn(server, "0123456789"));
});

test("A range is 412 if the content is not what If-Match names", async ({ api }) => {
  const { id, raw_url } = await make(api, { content: "0123456789" });
  const etag = (await api("GET", raw_url)).headers.need("etag");
  const read = (tag: string) =>
    api("GET", raw_url, { headers: { range: "bytes=0-0", "if-match": tag } });
  for (const tag of [etag, `"x", ${etag}`, "*"]) expectStatus(await read(tag), 206);
  expectError(await read(`W/${etag}`), 412, "precondition_failed");
  await api("PATCH", `/api/artifacts/${id}`, { body: { content: "9876543210" } });
  expectError(await read(etag), 412, "precondition_failed");
  expectStatus(await read("*"), 206);
});

test("Only download=1 is served as an attachment", async ({ api }) => {
  const { raw_url } = await make(api, { name: "Plan.md" });
  const download = await api("GET", raw_url, { query: { download: 1 } });
  expectStatus(download, 200);
  expect(download.headers.get("content-disposition")).toBe(
    `attachment; filename="Plan.md"; filename*=UTF-8''Plan.md`,
  );
  for (const value of ["0", "", "yes"]) {
    const response = await api("GET", raw_url, { query: { download: value } });
    expect(response.headers.get("content-disposition")).toBeNull();
  }
});

test("The file name of a download cannot trick a shell, a browser or a reader", async ({ api }) => {
  const names: Array<[string, string, string]> = [
    ["Ärger & Öl", "markdown", "Ärger & Öl.md"],
    ["page.html", "html", "page.html"],
    ["page.HTM", "html", "page.HTM"],
    ["notes.md", "html", "notes.md.html"],
    ["setup.exe", "markdown", "setup.exe.md"],
    ["../../etc/passwd", "markdown", "-..-etc-passwd.md"],
    ['a"b\\c', "markdown", "a-b-c.md"],
    ["a\r\nSet-Cookie: x=1", "markdown", "aSet-Cookie- x=1.md"],
    ["invoice\u202efdp.md", "markdown", "invoicefdp.md"],
    ["\u200b\u2066\ufeff", "html", "artifact.html"],
    ["...", "markdown", "artifact.md"],
    ["CON", "markdown", "_CON.md"],
    ["nul.md", "markdown", "_nul.md"],
    ["日本語", "markdown", "日本語.md"],
    ["100%41", "markdown", "100%41.md"],
    ["it's (1)*", "markdown", "it's (1)-.md"],
    // What becomes ASCII for old clients: a quotation mark, an asterisk and slashes.
    ["a＂; filename＊=UTF-8''b.bat; x=＂", "markdown", "a＂; filename＊=UTF-8''b.bat; x=＂.md"],
    ["a／b＼c℀d", "html", "a／b＼c℀d.html"],
    ["😀".repeat(200), "markdown", `${"😀".repeat(100)}.md`],
  ];
  for (const [name, format, expected] of names) {
    const { raw_url } = await make(api, { name, format });
    const response = await api("GET", raw_url, { query: { download: 1 } });
    expectStatus(response, 200);
    const header = response.headers.need("content-disposition");
    const [, ascii = "", encoded = ""] =
      /^attachment; filename="([ -~]*)"; filename\*=UTF-8''([\w%.~!#$&+^`|-]*)$/.exec(header) ?? [];
    expect(decodeURIComponent(encoded), header).toBe(expected);
    expect(ascii).toMatch(/^[^"\\/%]+\.(md|html?)$/i);
    expect(response.headers.get("set-cookie")).toBeNull();
  }
});

test("Errors of raw content use the JSON envelope", async ({ api, key }) => {
  const { raw_url } = await make(api, { format: "html" }, key);
  expectError(await api("GET", raw_url), 403, "forbidden");
  expectError(await api("GET", raw_url, { key: "svc_live_wrong" }), 401, "invalid_api_key");
  const unknown = "/api/artifacts/<script>alert(1)</script>/raw".replaceAll("<", "%3C");
  expectError(await api("GET", unknown), 404, "route_not_found");
  expectError(await api("GET", "/api/artifacts/art_x/raw"), 404, "resource_not_found");
  expectError(await api("POST", raw_url, { body: {} }), 405, "method_not_allowed");
});

/** Next removes `Content-Length` from every response. */
function lengthOn(server: ServerOptions["server"], content: string) {
  return server === "next" ? null : String(Buffer.byteLength(content));
}

async function make(api: Api, fields: Record<string, string>, key?: string) {
  const made = await api("POST", "/api/artifacts", {
    key,
    body: { name: "x", content: "x", ...fields },
  });
  expectStatus(made, 201);
  return made.body;
}
