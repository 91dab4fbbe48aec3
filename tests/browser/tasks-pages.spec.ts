import type { Page } from "playwright/test";
import { insertTasks } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { openHydrated } from "../support/pages";
import { makePerson } from "../support/people";

const HOSTILE = `<img src=x onerror="document.title='taken'">"'\u202e{{7*7}}</script>`;

test("A person can create, edit, move and delete a task, and the API agrees", async ({
  page,
  api,
  key,
}) => {
  await page.goto("/tasks");
  await page.getByRole("link", { name: "New task" }).first().click();
  await page.getByLabel("Name").fill("Order paper");
  await page.getByRole("combobox", { name: "Labels" }).fill("office, urgent");
  await page.getByLabel("Due").fill("2031-05-06T07:08");
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page).toHaveURL(/\/tasks\/tsk_\w+$/);
  const id = page.url().split("/").at(-1);
  const read = async () => (await api("GET", `/api/tasks/${id}`, { key })).body;
  expect(await read()).toMatchObject({
    name: "Order paper",
    labels: ["office", "urgent"],
    due_at: Date.UTC(2031, 4, 6, 7, 8) / 1000,
    priority: "low",
  });

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Order more paper");
  await page.getByLabel("Priority", { exact: true }).selectOption("high");
  await page.getByRole("button", { name: "Remove urgent" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("article", { name: "Order more paper" })).toBeVisible();
  expect(await read()).toMatchObject({ priority: "high", labels: ["office"] });

  await page.getByRole("button", { name: "Done", exact: true }).click();
  await expect(page.getByRole("button", { name: "Done", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  expect((await read()).labels).toEqual(["office", "done"]);

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete task" }).click();
  await expect(page).toHaveURL("/tasks");
  expect((await api("GET", `/api/tasks/${id}`, { key })).status).toBe(404);
});

test("A conflicting edit is refused, and the input is kept", async ({ page, api, key }) => {
  const { body } = await api("POST", "/api/tasks", { key, body: { name: "Before" } });
  await page.goto(`/tasks/${body.id}?edit=1`);
  await api("PATCH", `/api/tasks/${body.id}`, { key, body: { name: "Theirs" } });
  await page.getByLabel("Name").fill("Mine");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/Someone else has changed/);
  await expect(page.getByLabel("Name")).toHaveValue("Mine");
  expect((await api("GET", `/api/tasks/${body.id}`, { key })).body.name).toBe("Theirs");
});

test("An edit keeps values that a form cannot represent", async ({ page, api, key }) => {
  const strange = {
    name: "two\nlines",
    description: "a\r\nb",
    labels: ["with, comma", "two\nlines", "in-progress"],
    due_at: 253_402_300_800_000,
  };
  const { body } = await api("POST", "/api/tasks", { key, body: strange });
  await page.goto(`/tasks/${body.id}?edit=1`);
  await page.getByLabel("Priority", { exact: true }).selectOption("critical");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`/tasks/${body.id}`);
  const after = (await api("GET", `/api/tasks/${body.id}`, { key })).body;
  expect(after).toMatchObject({ ...strange, priority: "critical" });
});

test("An empty list shows a command that creates the first task", async ({ page, api, key }) => {
  await page.goto("/tasks");
  const call = await page.getByRole("button", { name: "Copy command" }).getAttribute("data-copy");
  const sent = JSON.parse(/-d '(.*)'$/.exec(call ?? "")?.[1] ?? "{}");
  await api("POST", "/api/tasks", { key, body: sent });
  await page.reload();
  await expect(page.getByRole("link", { name: "Say hello" })).toBeVisible();
  const { data } = (await api("GET", "/api/tasks", { key })).body;
  expect(data).toEqual([expect.objectContaining(sent)]);
});

test("The keyboard alone creates a task, finds it in the list and opens it", async ({
  page,
  api,
  key,
}) => {
  await api("POST", "/api/tasks", { key, body: { name: "Older" } });
  await openHydrated(page, "/tasks");
  await page.keyboard.press("Control+k");
  await expect(page.getByLabel("Page, ID or name")).toBeFocused();
  await page.keyboard.type("New task");
  await page.keyboard.press("Enter");
  await page.getByLabel("Name").focus();
  await page.keyboard.type("Newer");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tasks\/tsk_/);
  await openHydrated(page, "/tasks");
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Newer" })).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Older" })).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article", { name: "Newer" })).toBeVisible();
});

test("A form submitted twice on a slow network creates one task", async ({ page, api, key }) => {
  await page.goto("/tasks?new=1");
  const network = await holdBack(page, "**/tasks?new=1");
  await page.getByLabel("Name").fill("Once");
  const button = page.getByRole("button", { name: "Create task" });
  await button.dblclick();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Name").press("Enter");
  network.letGo();
  await expect(page).toHaveURL(/\/tasks\/tsk_/);
  expect(network.sent()).toBe(1);
  const list = await api("GET", "/api/tasks", { key, query: { include: "total_count" } });
  expect(list.body.total_count).toBe(1);
});

test("Two submissions of one form create one task, even when both are sent", async ({
  page,
  api,
  key,
}) => {
  await page.goto("/tasks?new=1");
  const twin = await page.context().newPage();
  await twin.goto("/tasks?new=1");
  // Both pages show the same form: one that was restored from the browser's memory, for example.
  const form = await page.locator('input[name="form"]').first().inputValue();
  await twin.locator('input[name="form"]').evaluate((input, value) => {
    (input as HTMLInputElement).value = value;
  }, form);
  for (const one of [page, twin]) await one.getByLabel("Name").fill("Once");
  await Promise.all(
    [page, twin].map((one) => one.getByRole("button", { name: "Create task" }).click()),
  );
  for (const one of [page, twin]) await expect(one).toHaveURL(/\/tasks\/tsk_/);
  expect(page.url()).toBe(twin.url());
  const list = await api("GET", "/api/tasks", { key, query: { include: "total_count" } });
  expect(list.body.total_count).toBe(1);
});

test("A hostile task is text on every page that shows it", async ({ page, api, key }) => {
  const input = { name: HOSTILE, description: HOSTILE, labels: [HOSTILE.slice(0, 90)] };
  const { body } = await api("POST", "/api/tasks", {
    key,
    body: { ...input, external_id: HOSTILE },
  });
  const open = (await api("POST", "/api/tasks", { body: input })).body;
  for (const path of [
    "/tasks",
    "/tasks?view=board",
    "/dashboard",
    `/tasks/${body.id}`,
    `/tasks/${body.id}?edit=1`,
    `/claim/${open.id}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText("<img src=x");
    expect(await page.title()).not.toBe("taken");
    expect(await page.locator("img").count()).toBe(0);
  }
});

test("Another organization cannot see a task on any page", async ({
  browser,
  visitor: page,
  api,
  db,
  otherOrganization,
  key,
  signInAs,
}) => {
  const { body } = await api("POST", "/api/tasks", { key, body: { name: "Secret name" } });
  const context = await browser.newContext();
  await signInAs(context, await makePerson(db, otherOrganization.id));
  for (const path of [
    `/tasks/${body.id}`,
    `/tasks/${body.id}?edit=1`,
    "/tasks",
    "/tasks?view=board",
    "/tasks?q=Secret",
    "/dashboard",
    `/claim/${body.id}`,
  ]) {
    const response = await context.request.get(path);
    expect(await response.text(), path).not.toContain("Secret name");
  }
  expect((await context.request.get(`/tasks/${body.id}`)).status()).toBe(404);
  await context.close();
  await page.goto(`/tasks/${body.id}`);
  await expect(page).toHaveURL(`/sign-in?next=%2Ftasks%2F${body.id}`);
});

test("Anybody with the URL can open a public task, without links to lists", async ({
  visitor: page,
  api,
}) => {
  const { body } = await api("POST", "/api/tasks", { body: { name: "For all", labels: ["free"] } });
  await page.goto(`/tasks/${body.id}`);
  await expect(page.getByRole("heading", { name: "For all" })).toBeVisible();
  await expect(page.getByText("free", { exact: true })).toBeVisible();
  const links = await page
    .getByRole("article")
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual([`/tasks/${body.id}?edit=1`, `/claim/${body.id}`]);
});

test("A list of thousands shows the exact count, and a link loads more", async ({
  page,
  db,
  organization,
}) => {
  await insertTasks(db, organization.id, 1234);
  await page.goto("/tasks");
  await expect(page.getByText("50 of 1,234")).toBeVisible();
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(page.getByText("100 of 1,234")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(101);
});

test("Without scripts the list, its filters and a task can be read", async ({
  browser,
  api,
  person,
  signInAs,
  key,
}) => {
  await api("POST", "/api/tasks", { key, body: { name: "Urgent one", priority: "high" } });
  await api("POST", "/api/tasks", { key, body: { name: "Calm one" } });
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signInAs(context, person);
  const page = await context.newPage();
  await page.goto("/tasks");
  await page.getByRole("link", { name: "high", exact: true }).click();
  await expect(page.getByText("1 of 1")).toBeVisible();
  await expect(page.getByText("Calm one")).toHaveCount(0);
  await page.getByRole("link", { name: "Urgent one" }).click();
  await expect(page.getByRole("heading", { name: "Urgent one" })).toBeVisible();
  await context.close();
});

/** Holds back the forms that the page sends to these addresses until `letGo`, and counts them. */
async function holdBack(page: Page, addresses: string) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let sent = 0;
  await page.route(addresses, async (route) => {
    if (route.request().method() === "POST") sent += 1;
    await gone;
    await route.continue();
  });
  return { letGo, sent: () => sent };
}
