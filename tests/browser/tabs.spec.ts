import { expect, test } from "../support/browser-fixtures";
import { capture, makeEndpoint } from "../support/webhooks";

test("Tabs work with the arrow keys, Enter and Space, and the URL holds the selection", async ({
  page,
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const event = await capture(api, id, { body: { a: 1 } });
  await page.goto(`/webhooks/${id}/events/${event}`);
  const tabs = page.getByRole("tablist", { name: "Body as" });
  const tab = (name: string) => tabs.getByRole("tab", { name });
  const panel = page.getByRole("tabpanel");
  await expect(tab("pretty")).toHaveAttribute("aria-selected", "true");
  await expect(panel).toHaveAccessibleName("pretty");
  await expect(tab("pretty")).toHaveAttribute(
    "aria-controls",
    String(await panel.getAttribute("id")),
  );
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

test("A list and a board are two tabs, and so are a document and its source", async ({
  page,
  api,
  key,
}) => {
  await api("POST", "/api/tasks", { key, body: { name: "One" } });
  const { body } = await api("POST", "/api/artifacts", {
    key,
    body: { name: "x", content: "# y" },
  });
  await page.goto("/tasks");
  await page.getByRole("tab", { name: "Board" }).click();
  await expect(page).toHaveURL("/tasks?view=board");
  await expect(page.getByRole("tabpanel", { name: "Board" })).toContainText("One");
  await page.goto(`/artifacts/${body.id}`);
  await page.getByRole("tab", { name: "Source" }).click();
  await expect(page.getByRole("tabpanel", { name: "Source" })).toContainText("# y");
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Content")).toBeVisible();
  await expect(page.getByRole("tab", { selected: true })).toHaveCount(0);
  await page.getByRole("tab", { name: "Document" }).click();
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "y" })).toBeVisible();
});

test("Without scripts each tab is a link, which the Tab key reaches", async ({
  openBrowser,
  api,
  key,
}) => {
  const { body } = await api("POST", "/api/artifacts", {
    key,
    body: { name: "x", content: "# y" },
  });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/artifacts/${body.id}`);
  await page.getByRole("tab", { name: "Document" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("tab", { name: "Source" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/artifacts/${body.id}?view=source`);
  await expect(page.getByRole("tabpanel")).toContainText("# y");
  await expect(page.getByRole("tab", { name: "Source" })).toHaveAttribute("aria-selected", "true");
});
