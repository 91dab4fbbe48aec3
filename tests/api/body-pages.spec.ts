import type { MessageAttempt } from "@/lib/resources/messages/contract";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { cookieOf, makePerson } from "../support/people";
import { startTarget } from "../support/target";
import { capture, makeEndpoint } from "../support/webhooks";

/** A stranger's request or response makes no page long, whatever its shape. */

const HTML_BYTES_MAX = 1_000_000;
const NUMBERS = JSON.stringify(Array(999).fill(1));
const FORM = "application/x-www-form-urlencoded";

interface Shape {
  type: string;
  raw: string;
  query?: string;
}

const SHAPES: Record<string, Shape> = {
  "as large a tree as is shown": {
    type: "application/json",
    raw: JSON.stringify(Array(2000).fill(1)),
  },
  "a tree of escapes": { type: "application/json", raw: `["${'\\"'.repeat(24_900)}"]` },
  "a tree of empty names": {
    type: "application/json",
    raw: `{${Array(1500).fill('"":{}').join()}}`,
  },
  "JSON laid out": { type: "application/json", raw: JSON.stringify(Array(90_000).fill('"')) },
  "deep JSON": { type: "application/json", raw: "[".repeat(100_000) + "]".repeat(100_000) },
  "fields of quotation marks": {
    type: FORM,
    raw: Array(500)
      .fill(`"=${'"'.repeat(97)}`)
      .join("&"),
  },
  "parts of JSON": parts("", NUMBERS),
  "parts of quotation marks": parts("", '"'.repeat(2000)),
  "parts with long names": parts("%22".repeat(1000), "x"),
  XML: { type: "application/xml", raw: "<a b='&quot;'>".repeat(60_000) },
  "text of as many quotation marks as are shown": { type: "text/plain", raw: '"'.repeat(50_000) },
  "text of control characters": { type: "text/plain", raw: "\x01".repeat(500_000) },
  bytes: { type: "", raw: "\0".repeat(500_000) },
  "a query of JSON": {
    type: "text/plain",
    raw: "x",
    query: Array(25).fill(`a=${NUMBERS}`).join("&"),
  },
};

test("The page of an event has at most 1 MB of HTML, whatever its body", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  for (const [title, { type, raw, query = "" }] of Object.entries(SHAPES)) {
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    const bytes = Buffer.from(raw, "latin1");
    const sent = await api("POST", `/api/catch/${id}?${query}`, { raw: bytes, headers });
    const size = await sizeOfPage(baseUrl, `/webhooks/${id}/events/${sent.body.event_id}`);
    expect(size, title).toBeLessThanOrEqual(HTML_BYTES_MAX);
  }
});

test("The page of an inbox event with parts of JSON has at most 1 MB of HTML", async ({
  api,
  baseUrl,
}) => {
  const inbox = await makeInbox(api);
  const { type, raw } = parts("", NUMBERS);
  const { id } = await inbox.ingest({ raw, headers: { "content-type": type } });
  const size = await sizeOfPage(baseUrl, `${inbox.path.replace("/api", "")}/events/${id}`);
  expect(size).toBeLessThanOrEqual(HTML_BYTES_MAX);
});

test("An event with 2000 headers, and its comparison with another, have at most 1 MB of HTML", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  const send = (letter: string) =>
    capture(api, id, { headers: Object.fromEntries(range(2000).map((n) => [letter + n, "1"])) });
  const [first, second] = [await send("x-a"), await send("x-b")];
  expect(await sizeOfPage(baseUrl, `/webhooks/${id}/events/${first}`)).toBeLessThanOrEqual(
    HTML_BYTES_MAX,
  );
  const comparison = `/webhooks/compare/${id}?left=${first}&right=${second}`;
  expect(await sizeOfPage(baseUrl, comparison)).toBeLessThanOrEqual(HTML_BYTES_MAX);
});

test("A message whose target sends 800 headers with each of 10 failures has at most 1 MB of HTML", async ({
  api,
  baseUrl,
}) => {
  const headers = Object.fromEntries(range(800).map((n) => [`x-${n}`, "1"]));
  const target = await startTarget((response) => {
    response.writeHead(400, headers).end(JSON.stringify(Array(2000).fill([])));
  });
  const { body: message } = await api("POST", "/api/messages", {
    body: { url: target.url, delay_seconds: 0 },
  });
  for (const attempt of range(10)) {
    if (attempt > 0) await api("POST", `/api/messages/${message.id}/retry`);
    await ended(api, message.id, attempt + 1);
  }
  expect(await sizeOfPage(baseUrl, `/messages/${message.id}`)).toBeLessThanOrEqual(HTML_BYTES_MAX);
  const { text } = await api("GET", `/api/messages/${message.id}/attempts`);
  const [last]: MessageAttempt[] = JSON.parse(text).data;
  expect(Object.keys(last?.response_headers ?? {})).toHaveLength(500);
  expect(last?.response_headers_truncated).toBe(true);
  await target.stop();
});

test("The page of a task, a message, a schedule or a claim with long texts has at most 1 MB of HTML", async ({
  api,
  baseUrl,
  db,
  key,
  organization,
}) => {
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const external_id = '"'.repeat(1_000_000);
  const task = { name: "Long", description: `${'"'.repeat(999_000)} the end`, external_id };
  const bodies = {
    tasks: task,
    messages: { url: "https://example.com/", delay_seconds: 86_400, external_id },
    schedules: { every_seconds: 86_400, target: { task }, external_id },
  };
  const cut = [];
  for (const [kind, body] of Object.entries(bodies)) {
    const { id } = (await api("POST", `/api/${kind}`, { key, body })).body;
    const html = await pageOf(baseUrl, `/${kind}/${id}`, cookie);
    expect(Buffer.byteLength(html), kind).toBeLessThanOrEqual(HTML_BYTES_MAX);
    cut.push(/The beginning of the (\w+)\. The API has all of it\./.exec(html)?.[1]);
  }
  expect(cut).toEqual(["description", undefined, "target"]);
  const open = { name: "Long", description: '"'.repeat(200_000) };
  const { id } = (await api("POST", "/api/tasks", { body: open })).body;
  expect(await sizeOfPage(baseUrl, `/claim/${id}`)).toBeLessThanOrEqual(HTML_BYTES_MAX);
});

async function ended(api: Api, id: string, attempts: number) {
  await api("POST", "/api/messages/dispatch");
  await expect
    .poll(async () => (await api("GET", `/api/messages/${id}`)).body)
    .toMatchObject({ attempts, status: "failed" });
}

async function sizeOfPage(baseUrl: string, path: string): Promise<number> {
  return Buffer.byteLength(await pageOf(baseUrl, path));
}

async function pageOf(baseUrl: string, path: string, cookie = ""): Promise<string> {
  const page = await fetch(baseUrl + path, { headers: { accept: "text/html", cookie } });
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain("</html>");
  return html;
}

/** A hundred parts of a form. */
function parts(name: string, content: string): Shape {
  const part = `--x\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\n${content}\r\n`;
  return { type: "multipart/form-data; boundary=x", raw: `${part.repeat(100)}--x--` };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
