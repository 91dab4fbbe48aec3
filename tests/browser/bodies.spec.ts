import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "../support/browser-fixtures";
import { openEvent, openMenu } from "../support/pages";
import { readEvent } from "../support/webhooks";

const LONG = `{"long": "${"a long line ".repeat(60)}"}`;

test("A search counts, highlights and opens matches, one by one", async ({ page, endpoint }) => {
  const deep = { a: { b: { c: { d: { e: { wanted: "Needle 3" } } } } } };
  const body = { first: "needle 1", second: "NEEDLE 2", deep };
  await openEvent(page, endpoint, { body });
  const pane = page.getByRole("article", { name: "POST request" });
  const hidden = pane.getByText("Needle 3");
  await expect(hidden).toBeHidden();
  const field = page.getByLabel("Find in the body");
  await field.fill("needle");
  await expect(pane.getByText("1 of 3")).toBeVisible();
  await expect(hidden).toBeVisible();
  const marked = (name: string) =>
    page.evaluate((of) => [...(CSS.highlights.get(of) ?? [])].map(String), name);
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

test("A body and its curl commands are copied verbatim, and its long lines wrap, unless turned off, which is remembered", async ({
  page,
  clipboard,
  endpoint,
}) => {
  // As over plain HTTP.
  await page.addInitScript(() => Reflect.deleteProperty(window, "cookieStore"));
  const path = await openEvent(page, endpoint, { raw: LONG }, "body=raw");
  const copy = async (name: string) => {
    if (name !== "Copy") await openMenu(page);
    await page.getByRole("button", { name, exact: true }).click();
  };
  await copy("Copy");
  await expect.poll(clipboard).toBe(LONG);
  await copy("Copy API call");
  await expect.poll(clipboard).toContain(`/api${path}`);
  await copy("Copy as curl");
  await expect.poll(clipboard).toContain(endpoint.url);
  const request = await clipboard();
  expect(request).toContain(`--data-raw '${LONG}'`);
  expect(request).not.toContain("/api/webhooks/");

  const code = page.getByRole("region", { name: "Body", exact: true }).locator("pre");
  const runsOn = () => code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  expect(await runsOn()).toBe(false);
  await page.getByRole("button", { name: "Unwrap" }).click();
  await expect.poll(runsOn).toBe(true);
  await page.reload();
  expect(await runsOn()).toBe(true);
  await page.getByRole("button", { name: "Wrap", exact: true }).click();
  await expect.poll(runsOn).toBe(false);
});

test("The command of Copy as curl sends a captured request again, byte for byte", async ({
  page,
  clipboard,
  endpoint,
  api,
  key,
}) => {
  const bodies = ['it\'s\n"50%" $HOME \\ é\r\n', Buffer.from([0, 255, 10, 13, 39])];
  for (const raw of bodies) {
    const headers = { "content-type": "text/x-odd", "x-empty": "", "x-quote": "it's" };
    const path = await openEvent(page, endpoint, { raw, headers, query: { a: [1, "[2]"] } });
    await openMenu(page);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await expect(page.getByRole("status").getByText("Copied")).toBeVisible();
    const env = { ...process.env, API_KEY: key };
    const { stdout } = await promisify(execFile)("sh", ["-c", await clipboard()], { env });
    const sent = async (eventId = "") => {
      const event = await readEvent(api, endpoint.id, eventId, key);
      const kept = Object.keys(headers).map((name) => event.headers[name]);
      return { method: event.method, query: event.query_string, body: event.body, kept };
    };
    expect(await sent(JSON.parse(stdout).event_id)).toEqual(await sent(path.split("/").at(-1)));
  }
});

test("A message's body can be searched in the same way", async ({ page, own }) => {
  const later = { url: "https://example.com/", delay_seconds: 3600 };
  const message = await own.create("messages", { ...later, body: '{"one": "two"}' });
  await page.goto(`/messages/${message.id}?tab=body`);
  const command = `curl -g -X POST https://example.com/ --data-raw '{"one": "two"}'`;
  await openMenu(page);
  const copy = page.getByRole("button", { name: "Copy as curl" });
  await expect(copy).toHaveAttribute("data-copy", command);
  await page.getByLabel("Find in the body").fill("TWO");
  await expect(page.getByRole("status", { name: "Matches" })).toHaveText("1 of 1");
});

test("A message's full body can be downloaded", async ({ page, own }) => {
  const content = "a long body ".repeat(10_000);
  const later = { url: "https://example.com/", delay_seconds: 3600 };
  const { id } = await own.create("messages", { ...later, body: content });
  await page.goto(`/messages/${id}?tab=body`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toBe(content);
});
