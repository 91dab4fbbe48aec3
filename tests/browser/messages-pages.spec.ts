import { expect, test } from "../support/browser-fixtures";
import type { Api } from "../support/http";
import { startTarget } from "../support/target";

const HOSTILE = `"><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">`;

test("A failed message shows its attempts and can be retried", async ({ page, api, key }) => {
  let status = 410;
  const target = await startTarget((response) => {
    response.writeHead(status, { "x-said": "no more" }).end("the body of the answer");
  });
  const { body } = await api("POST", "/api/messages", {
    key,
    body: { url: `${target.url}/hook`, delay_seconds: 0 },
  });
  sendNow(api);
  const read = async () => (await api("GET", `/api/messages/${body.id}`, { key })).body;
  await expect.poll(async () => (await read()).status).toBe("failed");
  await page.goto(`/messages/${body.id}`);
  const article = page.getByRole("article");
  await expect(article.getByText("Attempt 1")).toBeVisible();
  await expect(article.getByText("The target returned 410.")).toBeVisible();
  await article.getByText("Response", { exact: true }).click();
  await expect(article.getByText("the body of the answer")).toBeVisible();
  await expect(article.getByText("x-said")).toBeVisible();

  status = 200;
  await page.getByRole("button", { name: "Retry now" }).click();
  await expect.poll(async () => (await read()).status).toBe("delivered");
  await page.reload();
  await expect(article.getByText("Attempt 2")).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry now" })).toHaveCount(0);
  await target.stop();
});

test("A person can schedule, edit, cancel and delete a message", async ({ page, api, key }) => {
  await page.goto("/messages");
  await page.getByRole("link", { name: "New message" }).first().click();
  await page.getByLabel("URL", { exact: true }).fill("https://example.com/later");
  await page.getByLabel("Send in").fill("3");
  await page.getByLabel("Unit").selectOption("h");
  await page.getByLabel("Headers").fill("content-type: text/plain\nx-one: 1");
  await page.getByLabel("Body").fill("hello");
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(page).toHaveURL(/\/messages\/msg_\w+$/);
  const id = page.url().split("/").at(-1);
  const read = async () => (await api("GET", `/api/messages/${id}`, { key })).body;
  const made = await read();
  expect(made).toMatchObject({
    method: "POST",
    url: "https://example.com/later",
    headers: { "content-type": "text/plain", "x-one": "1" },
    body: "hello",
    status: "scheduled",
  });
  expect(made.scheduled_at - made.created_at).toBe(3 * 3600);
  await expect(page.getByText(/Due in 2 h|Due in 3 h/).first()).toBeVisible();

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Method").selectOption("PUT");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("article", { name: /^PUT/ })).toBeVisible();
  expect(await read()).toMatchObject({ ...made, method: "PUT", updated_at: expect.any(Number) });

  await page.getByRole("button", { name: "Cancel sending" }).click();
  await expect(page.getByRole("button", { name: "Retry now" })).toBeVisible();
  expect((await read()).status).toBe("canceled");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete message" }).click();
  await expect(page).toHaveURL("/messages");
  expect((await api("GET", `/api/messages/${id}`, { key })).status).toBe(404);
});

test("Canceling a message that was already sent is refused clearly, and its state is shown", async ({
  page,
  api,
  key,
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
  await target.stop();
});

test("Editing a message that was sent in between says so, and keeps the input", async ({
  page,
  api,
  key,
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
  await target.stop();
});

test("A delivery is shown live", async ({ page, api, key }) => {
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
  await target.stop();
});

test("The timeline is chronological, even after a manual retry", async ({ page, api, db, key }) => {
  const target = await startTarget((response) => void response.writeHead(410).end());
  const body = { url: target.url, delay_seconds: 0 };
  const { id } = (await api("POST", "/api/messages", { key, body })).body;
  sendNow(api);
  await expectStatus(api, key, id, "failed");
  for (const [table, column] of [
    ["scheduled_messages SET created_at = created_at - 60, scheduled_at", "id"],
    ["message_attempts SET started_at", "message_id"],
  ]) {
    const assigned = table?.split(" ").at(-1);
    await db.query(`UPDATE ${table} = ${assigned} - 50 WHERE ${column} = $1`, [id]);
  }
  await page.goto(`/messages/${id}`);
  await page.getByRole("button", { name: "Retry now" }).click();
  const steps = page.getByRole("article").getByRole("listitem");
  await expect(steps).toHaveCount(4);
  await expect(steps.last()).toContainText("410");
  const words = await steps.locator("> p:first-of-type > span:first-child").allTextContents();
  expect(words).toEqual(["Created", "Attempt 1", "Due again", "Attempt 2"]);
  await target.stop();
});

test("The list's state filter is in the URL", async ({ page, api, key }) => {
  const make = async (path: string) =>
    (
      await api("POST", "/api/messages", {
        key,
        body: { url: `https://example.com/${path}`, delay_seconds: 3600 },
      })
    ).body;
  await make("stays");
  const dropped = await make("dropped");
  await api("POST", `/api/messages/${dropped.id}/cancel`, { key });
  await page.goto("/messages");
  await expect(page.getByText("2 of 2")).toBeVisible();
  await page.getByRole("link", { name: "canceled 1" }).click();
  await expect(page).toHaveURL(/status=canceled/);
  await expect(page.getByText("1 of 1")).toBeVisible();
  await expect(page.locator("[data-row]")).toHaveText("https://example.com/dropped");
});

test("A hostile message and a hostile response are shown as text", async ({ page, api, key }) => {
  const target = await startTarget((response) => {
    response.writeHead(400, { "x-hostile": HOSTILE, "content-type": "text/html" }).end(HOSTILE);
  });
  const { body } = await api("POST", "/api/messages", {
    key,
    body: { url: target.url, headers: { "x-mine": HOSTILE }, body: HOSTILE, delay_seconds: 0 },
  });
  sendNow(api);
  const read = async () => (await api("GET", `/api/messages/${body.id}`, { key })).body;
  await expect.poll(async () => (await read()).status).toBe("failed");
  await page.goto(`/messages/${body.id}`);
  await page.getByText("Response", { exact: true }).click();
  await expect(page.getByRole("article").getByText("<img src=x")).toHaveCount(4);
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("img").count()).toBe(0);
  await target.stop();
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
