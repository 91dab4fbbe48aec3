import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { makeOrganization } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { makePerson } from "../support/people";
import { capture, makeEndpoint, readEvent } from "../support/webhooks";

const LONG = `{"long": "${"a long line ".repeat(60)}"}`;

test("A search in a body counts, highlights and expands matches, and Enter goes to the next", async ({
  page,
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const deep = { a: { b: { c: { d: { e: { wanted: "Needle 3" } } } } } };
  const body = { first: "needle 1", second: "NEEDLE 2", deep };
  const event = await capture(api, id, { body });
  await page.goto(`/webhooks/${id}/events/${event}`);
  const pane = page.getByRole("article", { name: "POST request" });
  const hidden = pane.getByText("Needle 3");
  await expect(hidden).toBeHidden();
  const field = page.getByLabel("Find in the body");
  await field.fill("needle");
  await expect(pane.getByText("1 of 3")).toBeVisible();
  await expect(hidden).toBeVisible();
  const marked = (name: string) =>
    page.evaluate(
      (of) => [...(CSS.highlights.get(of) ?? [])].map((range) => (range as Range).toString()),
      name,
    );
  expect(await marked("found")).toEqual(["needle", "NEEDLE", "Needle"]);
  await field.press("Enter");
  await expect(pane.getByText("2 of 3")).toBeVisible();
  expect(await marked("found-here")).toEqual(["NEEDLE"]);
  await field.press("Shift+Enter");
  await field.press("Shift+Enter");
  await expect(pane.getByText("3 of 3")).toBeVisible();
  // A name and its value are one line, and the page's own counts are no part of the body.
  await field.fill('wanted: "needle');
  await expect(pane.getByText("1 of 1")).toBeVisible();
  await field.fill("{ 3 }");
  await expect(pane.getByRole("status", { name: "Matches" })).toHaveText("none");
  await field.fill("(.*");
  await expect(pane.getByRole("status", { name: "Matches" })).toHaveText("none");
  await field.press("Escape");
  await expect(field).toHaveValue("");
  expect(await marked("found")).toEqual([]);
});

test("Long lines wrap unless the reader turns wrapping off, which is remembered", async ({
  page,
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const event = await capture(api, id, { raw: LONG });
  const code = page.getByRole("region", { name: "Body", exact: true }).locator("pre");
  const runsOn = () => code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  await page.goto(`/webhooks/${id}/events/${event}?body=raw`);
  expect(await runsOn()).toBe(false);
  await page.getByRole("button", { name: "Unwrap" }).click();
  await expect.poll(runsOn).toBe(true);
  await page.reload();
  expect(await runsOn()).toBe(true);
  await page.getByRole("button", { name: "Wrap", exact: true }).click();
  await expect.poll(runsOn).toBe(false);
});

test("A body and its curl commands are copied verbatim", async ({ page, context, api, key }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id, url } = await makeEndpoint(api, { key });
  const event = await capture(api, id, { raw: LONG });
  await page.goto(`/webhooks/${id}/events/${event}`);
  const copied = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("status").getByText("Copied")).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied("Copy")).toBe(LONG);
  expect(await copied("Copy API call")).toContain(`/api/webhooks/${id}/events/${event}`);
  const request = await copied("Copy as curl");
  expect(request).toContain(url);
  expect(request).toContain(`--data-raw '${LONG}'`);
  expect(request).not.toContain("/api/webhooks/");
});

test("The command of Copy as curl sends the captured request again, byte for byte", async ({
  page,
  context,
  api,
  key,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id } = await makeEndpoint(api, { key });
  const bodies = ['it\'s\n"50%" $HOME \\ é\r\n', "a\0b", Buffer.from([0, 255, 10, 13, 39])];
  for (const raw of bodies) {
    const headers = { "content-type": "text/x-odd", "x-empty": "", "x-quote": "it's" };
    const event = await capture(api, id, { raw, headers, query: { a: [1, "[2]"] } });
    await page.goto(`/webhooks/${id}/events/${event}`);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await expect(page.getByRole("status").getByText("Copied")).toBeVisible();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const env = { ...process.env, API_KEY: key };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { env });
    const sent = async (eventId: string) => {
      const { method, headers: got, query_string, body } = await readEvent(api, id, eventId, key);
      return { method, query_string, body, kept: Object.keys(headers).map((name) => got[name]) };
    };
    expect(await sent(JSON.parse(stdout).event_id)).toEqual(await sent(event));
  }
});

test("A message's body can be searched in the same way", async ({ page, api, key }) => {
  const { body: message } = await api("POST", "/api/messages", {
    key,
    body: { url: "https://example.com/", body: '{"one": "two"}', delay_seconds: 3600 },
  });
  await page.goto(`/messages/${message.id}`);
  await expect(page.getByRole("button", { name: "Copy as curl" })).toHaveAttribute(
    "data-copy",
    `curl -g -X POST https://example.com/ --data-raw '{"one": "two"}'`,
  );
  await page.getByLabel("Find in the body").fill("TWO");
  await expect(page.getByRole("status", { name: "Matches" })).toHaveText("1 of 1");
});

test("Only members can download a message's full body", async ({
  page,
  openBrowser,
  api,
  db,
  key,
}) => {
  const content = "a long body ".repeat(10_000);
  const { body } = await api("POST", "/api/messages", {
    key,
    body: { url: "https://example.com/", body: content, delay_seconds: 3600 },
  });
  await page.goto(`/messages/${body.id}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toBe(content);

  const { id } = await makeOrganization(db);
  const stranger = await openBrowser({}, await makePerson(db, id));
  const response = await stranger.request.get(`/messages/${body.id}/body`);
  expect(response.status()).toBe(404);
});
