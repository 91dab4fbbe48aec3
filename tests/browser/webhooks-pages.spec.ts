import { readFile } from "node:fs/promises";
import { expect, test } from "../support/browser-fixtures";
import { openEvent, submitTwice, tabTo } from "../support/pages";
import { capture, makeEndpoint } from "../support/webhooks";

test("The keyboard alone creates an endpoint, inspects what it captured and replays it", async ({
  page,
  target,
  own,
}) => {
  await page.goto("/webhooks?new=1");
  await tabTo(page.getByLabel("Name"));
  await page.keyboard.type("Payments");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/webhooks\/wh_\w+$/);
  await tabTo(page.getByRole("button", { name: "Send a test request" }));
  await page.keyboard.press("Enter");
  await tabTo(page.getByRole("button", { name: "Send request" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Test request sent" })).toBeVisible();
  const row = page.locator("[data-row]");
  await expect(row).toHaveCount(1);
  await page.keyboard.press("j");
  await expect(row).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/events\/wev_\w+$/);
  const article = page.getByRole("article", { name: "POST request" });
  await tabTo(article.getByRole("tab", { name: "Body", exact: true }));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(article.getByText("content-type")).toBeVisible();
  await tabTo(article.getByRole("link", { name: "Replay", exact: true }));
  await page.keyboard.press("Enter");
  await tabTo(article.getByLabel("Send it again, byte for byte, to"));
  await page.keyboard.type(`${target.url}/again`);
  await page.keyboard.press("Enter");
  const replays = article.getByRole("list", { name: "Replays" });
  await expect(replays).toContainText("delivered");
  // The response is read without leaving the event.
  await expect(replays.getByLabel("Response", { exact: true })).toHaveText("ok");
  await tabTo(replays.locator("summary"));
  await page.keyboard.press("Enter");
  await expect(replays.getByLabel("Response", { exact: true })).toBeHidden();
  await page.keyboard.press("Enter");
  const link = article.getByRole("link", { name: /^msg_/ });
  await tabTo(link);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/messages\/msg_\w+$/);
  const sent = page.url().split("/").at(-1);
  expect((await own.read(`messages/${sent}`)).status).toBe("delivered");
  expect(target.received[0]).toMatchObject({ method: "POST", path: "/again" });
  expect(JSON.parse(String(target.received[0]?.body))).toMatchObject({ type: "test" });
  await page.reload();
  await expect(page.getByText("Attempt 1")).toBeVisible();
});

test("Filters by method and text are in the URL, and live", async ({ page, api, endpoint }) => {
  await endpoint.capture({ body: { order: "apple" } });
  await endpoint.capture({ body: { order: "pear" } });
  await api("PUT", `/api/catch/${endpoint.id}`, { body: { order: "apple" } });
  await page.goto(`/webhooks/${endpoint.id}`);
  await page.getByRole("link", { name: "POST", exact: true }).click();
  await expect(page).toHaveURL(/method=POST/);
  await expect(page.locator("[data-row]")).toHaveCount(2);
  await page.getByLabel("Search events").fill("apple");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=apple/);
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await endpoint.capture({ body: { order: "plum" } });
  await endpoint.capture({ body: { order: "apple pie" } });
  await expect(page.locator("[data-row]")).toHaveText([/apple pie/, /apple/]);
});

test("A body is shown formatted, as text, as bytes, and downloaded", async ({ page, endpoint }) => {
  const text = '{"order":  {"id": 7}}';
  await openEvent(page, endpoint, { raw: text, headers: { "content-type": "application/json" } });
  await expect(page.getByRole("region", { name: "JSON" })).toContainText("order:");
  await page.getByRole("tab", { name: "raw" }).click();
  await expect(page.getByRole("region", { name: "Body", exact: true })).toHaveText(text);
  await page.getByRole("tab", { name: "hex" }).click();
  await expect(page.getByText("7b 22 6f 72")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toBe(text);
});

test("A refused replay says why and keeps the input, and one submitted twice on a slow network is one message", async ({
  page,
  target,
  own,
  endpoint,
}) => {
  await openEvent(page, endpoint, { body: { order: 1 } }, "tab=replays");
  const field = page.getByLabel("Send it again, byte for byte, to");
  await field.fill("ftp://example.com/");
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(/^!url /i);
  await expect(field).toHaveValue("ftp://example.com/");
  await expect(page.getByText("Replayed to")).toHaveCount(0);
  await field.fill(`${target.url}/again`);
  await submitTwice(page, "Replay");
  await expect(page.getByText(`Replayed to ${target.url}/again`)).toBeAttached();
  expect((await own.read("messages")).data).toHaveLength(1);
});

test("A replay is tracked beside its event, and the list stays", async ({
  page,
  fillEndpoint,
  startTarget,
}) => {
  const open: Array<() => void> = [];
  const target = await startTarget((response) => {
    open.push(() => void response.writeHead(open.length === 1 ? 202 : 410).end());
  });
  const id = await fillEndpoint(300);
  await page.goto(`/webhooks/${id}`);
  await expect.poll(() => page.locator("[data-row]").count()).toBeLessThan(50);
  await page.evaluate(() => window.scrollTo(0, 6000));
  const row = page.getByRole("link", { name: /^\/number\/150 / });
  await row.click();
  const article = page.getByRole("article", { name: "POST request" });
  await article.getByRole("link", { name: "Replay", exact: true }).click();
  await article.getByLabel("Send it again, byte for byte, to").fill(`${target.url}/first`);
  const address = page.url();
  const before = await row.boundingBox();
  await article.getByRole("button", { name: "Replay" }).click();
  const result = article.getByRole("status", { name: "Replay" });
  await expect(result).toContainText(`Replayed to ${target.url}/first`);
  await expect(result).toContainText("delivering");
  open[0]?.();
  await expect(result).toContainText("delivered, response 202");
  expect(page.url()).toBe(address);
  expect(await row.boundingBox()).toEqual(before);

  await article.getByLabel("Send it again, byte for byte, to").fill(`${target.url}/second`);
  await article.getByRole("button", { name: "Replay" }).click();
  await expect(result).toContainText(`Replayed to ${target.url}/second`);
  await expect.poll(() => open.length).toBe(2);
  open[1]?.();
  await expect(result).toContainText("failed, response 410");
  expect(target.received.map(({ path }) => path)).toEqual(["/first", "/second"]);
});

test("Without scripts a replay shows its message beside the event", async ({
  openBrowser,
  target,
  endpoint,
}) => {
  const page = await openBrowser({ javaScriptEnabled: false });
  await openEvent(page, endpoint, { body: { order: 1 } }, "tab=replays");
  await page.getByLabel("Send it again, byte for byte, to").fill(`${target.url}/plain`);
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(page.getByText(`Replayed to ${target.url}/plain`)).toBeAttached();
  await page.getByRole("link", { name: /^msg_/ }).click();
  await expect(page).toHaveURL(/\/messages\/msg_\w+$/);
});

test("Anybody with the URL can open a public endpoint, where the first event appears by itself", async ({
  visitor: page,
  api,
}) => {
  const { id } = await makeEndpoint(api, { name: "For all" });
  await page.goto(`/webhooks/${id}`);
  await expect(page.getByRole("heading", { name: "For all" })).toBeVisible();
  await expect(page.getByText("Waiting for the first request")).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await capture(api, id, { body: { order: "open" } });
  await expect(page.locator("[data-row]")).toContainText("open");
});
