import { expect, test } from "../support/browser-fixtures";
import type { Api } from "../support/http";

const HOSTILE = `"><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">`;

test("A failed message shows its attempts and what the target answered as text, can be retried, and stays chronological", async ({
  page,
  startTarget,
  api,
  db,
  key,
}) => {
  let status = 410;
  const target = await startTarget((response) => {
    const headers = { "x-hostile": HOSTILE, "content-type": "text/html" };
    response.writeHead(status, headers).end(HOSTILE);
  });
  const { body } = await api("POST", "/api/messages", {
    key,
    body: { url: target.url, headers: { "x-mine": HOSTILE }, body: HOSTILE, delay_seconds: 0 },
  });
  sendNow(api);
  await expectStatus(api, key, body.id, "failed");
  for (const [table, column] of [
    ["scheduled_messages SET created_at = created_at - 60, scheduled_at", "id"],
    ["message_attempts SET started_at", "message_id"],
  ]) {
    const assigned = table?.split(" ").at(-1);
    await db.query(`UPDATE ${table} = ${assigned} - 50 WHERE ${column} = $1`, [body.id]);
  }
  await page.goto(`/messages/${body.id}`);
  const article = page.getByRole("article");
  await expect(article.getByText("The target returned 410.")).toBeVisible();
  await article.getByText("Response", { exact: true }).click();
  await expect(article.getByText("x-hostile")).toBeVisible();
  await expect(article.getByText("<img src=x")).toHaveCount(4);
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("img").count()).toBe(0);

  status = 200;
  await page.getByRole("button", { name: "Retry now" }).click();
  await expectStatus(api, key, body.id, "delivered");
  const steps = article.getByRole("listitem").locator("> p:first-of-type > span:first-child");
  await expect(steps).toHaveText(["Created", "Attempt 1", "Due again", "Attempt 2"]);
  await expect(page.getByRole("button", { name: "Retry now" })).toHaveCount(0);
});

test("Canceling a message that was already sent is refused clearly, and its state is shown", async ({
  page,
  api,
  key,
  startTarget,
}) => {
  const target = await startTarget();
  const body = { url: target.url, delay_seconds: 3600 };
  const { id } = (await api("POST", "/api/messages", { key, body })).body;
  // Unanswered polls tell the page nothing, so its button stays. Hidden pages poll too, when signalled.
  await page.route(/\/live(\?|$)/, () => {});
  await page.goto(`/messages/${id}`);
  await deliver(api, key, id);
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
  key,
  startTarget,
}) => {
  const target = await startTarget();
  const body = { url: target.url, delay_seconds: 3600 };
  const { id } = (await api("POST", "/api/messages", { key, body })).body;
  await page.goto(`/messages/${id}?edit=1`);
  const typed = page.getByRole("textbox", { name: "Body" });
  await typed.fill("too late");
  await deliver(api, key, id);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/this one is delivered/);
  await expect(typed).toHaveValue("too late");
});

test("A delivery is shown live", async ({ page, api, key, startTarget }) => {
  let release = () => {};
  const target = await startTarget((response) => {
    release = () => void response.end("taken");
  });
  const body = { url: target.url, delay_seconds: 0 };
  const { id } = (await api("POST", "/api/messages", { key, body })).body;
  sendNow(api);
  await page.goto(`/messages/${id}`);
  await page.evaluate(() => Object.assign(window, { stillHere: true }));
  const article = page.getByRole("article");
  await expect(article.getByText("Attempt 1, in progress")).toBeVisible();
  release();
  await expect(article.getByText("delivered", { exact: true })).toBeVisible();
  await expect(article.getByText("Response", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => "stillHere" in window)).toBe(true);
});

/** Makes a scheduled message due, and waits until it was sent. */
async function deliver(api: Api, key: string, id: string) {
  await api("PATCH", `/api/messages/${id}`, { key, body: { delay_seconds: 0 } });
  sendNow(api);
  await expectStatus(api, key, id, "delivered");
}

async function expectStatus(api: Api, key: string, id: string, status: string) {
  await api("POST", "/api/messages/dispatch");
  const read = async () => (await api("GET", `/api/messages/${id}`, { key })).body.status;
  await expect.poll(read).toBe(status);
}

/** Sends what is due, instead of waiting for the server's scheduler. */
function sendNow(api: Api) {
  void api("POST", "/api/messages/dispatch");
}
