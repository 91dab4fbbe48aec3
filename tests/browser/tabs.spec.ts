import { expect, test } from "../support/browser-fixtures";
import { leaseClient } from "../support/leases";
import { openEvent } from "../support/pages";

test("Tabs work with arrows, Enter and Space; the URL has the tab", async ({ page, endpoint }) => {
  await openEvent(page, endpoint, { body: { a: 1 } });
  const tabs = page.getByRole("tablist", { name: "Body as" });
  const tab = (name: string) => tabs.getByRole("tab", { name });
  const panel = page.getByRole("tabpanel").last(); // within that of the event's part
  await expect(tab("pretty")).toHaveAttribute("aria-selected", "true");
  await expect(panel).toHaveAccessibleName("pretty");
  const id = String(await panel.getAttribute("id"));
  await expect(tab("pretty")).toHaveAttribute("aria-controls", id);
  await expect(tab("raw")).toHaveAttribute("tabindex", "-1");

  await tab("pretty").focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab("raw")).toBeFocused();
  await expect(tab("pretty")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await expect(tab("hex")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(tab("pretty")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]body=hex$/);
  await expect(panel).toHaveAccessibleName("hex");
  await expect(panel).toContainText("7b 22");
  await expect(tab("hex")).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/[?&]body=raw$/);
  await expect(tab("raw")).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await expect(tab("hex")).toHaveAttribute("aria-selected", "true");
});

test("List and board are two tabs, and so are document and source", async ({ page, own }) => {
  await own.create("tasks", { name: "One" });
  const { id } = await own.create("artifacts", { name: "x", content: "# y" });
  await page.goto("/tasks");
  await page.getByRole("tab", { name: "Board" }).click();
  await expect(page).toHaveURL("/tasks?view=board");
  await expect(page.getByRole("tabpanel", { name: "Board" })).toContainText("One");
  await page.goto(`/artifacts/${id}`);
  await page.getByRole("tab", { name: "Source" }).click();
  await expect(page.getByRole("tabpanel", { name: "Source" })).toContainText("# y");
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Content")).toBeVisible();
  await expect(page.getByRole("tab", { selected: true })).toHaveCount(0);
  await page.getByRole("tab", { name: "Document" }).click();
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "y" })).toBeVisible();
});

test("Without scripts each tab is a link that Tab reaches", async ({ openBrowser, own }) => {
  const { id } = await own.create("artifacts", { name: "x", content: "# y" });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/artifacts/${id}`);
  await page.getByRole("tab", { name: "Document" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("tab", { name: "Source" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/artifacts/${id}?view=source`);
  await expect(page.getByRole("tabpanel")).toContainText("# y");
  await expect(page.getByRole("tab", { name: "Source" })).toHaveAttribute("aria-selected", "true");
});

test("An event opens on its body, high on the page, and its other parts are tabs that need no scripts", async ({
  page,
  openBrowser,
  endpoint,
}) => {
  const sent = { body: { order: 7 }, query: { page: 2 }, headers: { "x-kind": "order" } };
  const path = await openEvent(page, endpoint, sent);
  for (const width of [1440, 768, 375]) {
    await page.setViewportSize({ width, height: 900 });
    const body = await page.getByRole("tabpanel", { name: "Body" }).boundingBox();
    expect(body?.y, `at ${width} px`).toBeLessThanOrEqual(300);
  }
  const plain = await openBrowser({ javaScriptEnabled: false });
  await plain.goto(path);
  for (const [tab, shown] of [
    [/^Headers \d+$/, "x-kind"],
    ["Query", "page"],
    ["Replays", "Retry if it fails"],
    ["Journey", "Nothing more will happen by itself"],
  ] as const) {
    await plain.getByRole("tab", { name: tab }).click();
    await expect(plain.getByRole("tabpanel")).toContainText(shown);
    await expect(plain.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
  }
});

test("A task's history says what happened and by whom", async ({ page, api, key, person }) => {
  const { task, take } = leaseClient(api, key);
  const { id } = await task({ name: "Told" });
  await take(id, { holder: "planner-1" });
  await page.goto(`/tasks/${id}`);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Done" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("tab", { name: "History" }).click();
  const steps = page.getByRole("tabpanel").getByRole("listitem");
  await expect(steps.nth(0)).toContainText(/^Created by /);
  await expect(steps.nth(1)).toContainText(/^Leased by /);
  await expect(steps.nth(2)).toContainText(`Moved to Done by ${person.email}`);
  await expect(steps.last()).toHaveText("Done");
  for (const labels of [["in-progress"], ["in-progress", "report"]]) {
    await api("PATCH", `/api/tasks/${id}`, { key, body: { labels } });
  }
  await page.reload();
  await expect(steps.nth(3)).toContainText(/^Moved to In progress by /);
  await expect(steps.nth(4)).toContainText(/^Changed by /);
});
