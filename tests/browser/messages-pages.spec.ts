import { expect, HOSTILE, type Own, test } from "../support/browser-fixtures";
import type { Api } from "../support/http";
import { openMenu } from "../support/pages";

test("A failed message shows its attempts and what the target answered as text, can be retried where nobody presses to cancel, and stays chronological", async ({
  page,
  startTarget,
  api,
  db,
  own,
}) => {
  let status = 410;
  const target = await startTarget((response) => {
    const headers = { "x-hostile": HOSTILE, "content-type": "text/html" };
    response.writeHead(status, headers).end(HOSTILE);
  });
  const message = await own.create("messages", {
    url: target.url,
    headers: { "x-mine": HOSTILE },
    body: HOSTILE,
    delay_seconds: 3600,
  });
  await page.goto(`/messages/${message.id}`);
  await openMenu(page);
  const cancel = await page.getByRole("button", { name: "Cancel sending" }).boundingBox();
  await own.update(`messages/${message.id}`, { delay_seconds: 0 });
  await expectSent(api, own, message.id, "failed");
  const age = (changes: string) => db.query(`UPDATE ${changes} = $1`, [message.id]);
  await age("message_attempts SET started_at = started_at - 50 WHERE message_id");
  await age(
    "scheduled_messages SET created_at = created_at - 60, scheduled_at = scheduled_at - 50 WHERE id",
  );
  await page.goto(`/messages/${message.id}`);
  const article = page.getByRole("article");
  await expect(article.getByText("The target returned 410.")).toBeVisible();
  await article.getByText("Response", { exact: true }).click();
  await expect(article.getByText("x-hostile")).toBeVisible();
  await expect(article.getByText("<img src=x")).toHaveCount(2);
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("img").count()).toBe(0);

  status = 200;
  const retry = page.getByRole("button", { name: "Retry now" });
  expect(
    await retry.evaluate((button, there) => {
      const { x, y, width, height } = there ?? button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }, cancel),
  ).toBe(false);
  await retry.click();
  await expectSent(api, own, message.id, "delivered");
  const steps = article.getByRole("listitem").locator("> p:first-of-type > span:first-child");
  await expect(steps).toHaveText(["Created", "Attempt 1", "Due again", "Attempt 2"]);
  await expect(retry).toHaveCount(0);
  await expect(article.getByRole("heading", { level: 1 })).toBeFocused();
});

test("A header that is typed twice is refused, and not silently dropped", async ({ page, own }) => {
  await page.goto("/messages?new=1");
  await page.getByLabel("URL", { exact: true }).fill("https://example.com/");
  await page.getByLabel("Headers", { exact: true }).fill("Accept: text/html\nAccept: text/plain");
  await page.getByRole("button", { name: "Schedule message" }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("Accept is given twice. Join its values with a comma.");
  expect((await own.read("messages")).data).toEqual([]);
});

test("Canceling a message that was sent is refused, and its state is shown", async ({
  page,
  api,
  own,
  target,
}) => {
  const { id } = await own.create("messages", { url: target.url, delay_seconds: 3600 });
  // Unanswered polls tell the page nothing, so its button stays. Hidden pages poll too, when signalled.
  await page.route(/\/live(\?|$)/, () => {});
  await page.goto(`/messages/${id}`);
  await deliver(api, own, id);
  await openMenu(page);
  await page.getByRole("button", { name: "Cancel sending" }).click();
  const article = page.getByRole("article");
  await expect(article.getByRole("alert")).toHaveText(/can be canceled; this one is delivered/);
  await expect(article.getByText("Attempt 1")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel sending" })).toHaveCount(0);
  expect(target.received).toHaveLength(1);
});

test("Editing a message that was sent in between says so, and keeps the input", async ({
  page,
  api,
  own,
  target,
}) => {
  const { id } = await own.create("messages", { url: target.url, delay_seconds: 3600 });
  await page.goto(`/messages/${id}?edit=1`);
  const typed = page.getByRole("textbox", { name: "Body" });
  await typed.fill("too late");
  await deliver(api, own, id);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/this one is delivered/);
  await expect(typed).toHaveValue("too late");
});

test("A delivery is shown live", async ({ page, api, startTarget, own }) => {
  let release = () => {};
  const target = await startTarget((response) => {
    release = () => void response.end("taken");
  });
  const { id } = await own.create("messages", { url: target.url, delay_seconds: 0 });
  void api("POST", "/api/messages/dispatch");
  await page.goto(`/messages/${id}`);
  await page.evaluate(() => Object.assign(window, { stillHere: true }));
  const article = page.getByRole("article");
  await expect(article.getByText("Attempt 1, in progress")).toBeVisible();
  await expect.poll(() => target.received.length).toBe(1);
  release();
  await expect(article.getByText("delivered", { exact: true })).toBeVisible();
  await expect(article.getByText("Response", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => "stillHere" in window)).toBe(true);
});

/** Makes a scheduled message due, and waits until it was sent. */
async function deliver(api: Api, own: Own, id: string) {
  await own.update(`messages/${id}`, { delay_seconds: 0 });
  await expectSent(api, own, id, "delivered");
}

async function expectSent(api: Api, own: Own, id: string, status: string) {
  await api("POST", "/api/messages/dispatch");
  await expect.poll(async () => (await own.read(`messages/${id}`)).status).toBe(status);
}
