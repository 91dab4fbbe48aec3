import { insertTasks } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { openHydrated } from "../support/pages";

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
