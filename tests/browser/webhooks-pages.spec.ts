import { expect, test } from "../support/browser-fixtures";
import { openEvent, submitTwice, tabTo } from "../support/pages";
import { capture, makeEndpoint } from "../support/webhooks";

test("The keyboard alone creates an endpoint, inspects what it captured and replays it", async ({
  page,
  target,
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
  await tabTo(article.getByRole("link", { name: "Headers" }));
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
  expect(target.received[0]).toMatchObject({ method: "POST", path: "/again" });
  expect(JSON.parse(String(target.received[0]?.body))).toMatchObject({ type: "test" });
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
  await expect(page.getByRole("main").getByRole("alert")).toContainText(/^!Must be /);
  await expect(field).toHaveValue("ftp://example.com/");
  await expect(page.getByText("Replayed to")).toHaveCount(0);
  await field.fill(`${target.url}/again`);
  await submitTwice(page, "Replay");
  await expect(page.getByText(`Replayed to ${target.url}/again`)).toBeAttached();
  expect((await own.read("messages")).data).toHaveLength(1);
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
